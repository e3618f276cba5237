/* Types of release 2023-10-15, written by `npm run release -- lock`. Do not edit.
   Digests: openapi.json 759e3dc4f71cc2ea, this text b33f31ad7179cc7e. */

/**
 * One of several criteria of which at least one must hold; `kind` says which it is.
 */
export type AlternativeCriterion = PatientCriterion | RecordCriterion | MeasurementCriterion;
/**
 * One of several criteria of which at least one must hold; `kind` says which it is.
 */
export type AlternativeCriterionCreate = PatientCriterionCreate | RecordCriterionCreate | MeasurementCriterionCreate;
/**
 * A criterion of a cohort; `kind` says which it is.
 */
export type CohortCriterion = PatientCriterion | RecordCriterion | MeasurementCriterion | AnyOfCriterion;
/**
 * A criterion of a cohort; `kind` says which it is.
 */
export type CohortCriterionCreate =
  PatientCriterionCreate | RecordCriterionCreate | MeasurementCriterionCreate | AnyOfCriterionCreate;
/**
 * What became of one operation of diagnostics.
 */
export type DiagnosticBulkResult = AnalysisBulkResult | DiagnosticRecordBulkResult;
/**
 * One operation of diagnostics.
 */
export type DiagnosticOperation =
  DiagnosticAnalyzeOperation | DiagnosticCreateOperation | DiagnosticUpdateOperation | DiagnosticDeleteOperation;
/**
 * Something that happened to an object; `object_type` says of which type it is. Also the body of webhooks.
 */
export type Event =
  | PatientEvent
  | RecordEvent
  | AttachmentEvent
  | DiagnosticEvent
  | BulkEvent
  | ImagingEvent
  | SubscriptionEvent
  | WebhookTestEvent;
/**
 * One entry of a patient’s history; `type` says what else it has. A patch names the type as well.
 */
export type MedicalRecord =
  ConditionRecord | MedicationRecord | AllergyRecord | ObservationRecord | ProcedureRecord | NoteRecord;
/**
 * One line of a job’s result.
 */
export type JobResult = PatientBulkResult | AnalysisBulkResult | DiagnosticRecordBulkResult | ImagingJobResult;
/**
 * One entry of a patient’s history; `type` says what else it has. A patch names the type as well.
 */
export type MedicalRecordCreate =
  | ConditionRecordCreate
  | MedicationRecordCreate
  | AllergyRecordCreate
  | ObservationRecordCreate
  | ProcedureRecordCreate
  | NoteRecordCreate;
/**
 * One entry of a patient’s history; `type` says what else it has. A patch names the type as well.
 */
export type MedicalRecordPatch =
  | ConditionRecordPatch
  | MedicationRecordPatch
  | AllergyRecordPatch
  | ObservationRecordPatch
  | ProcedureRecordPatch
  | NoteRecordPatch;
/**
 * One entry of a patient’s history; `type` says what else it has. A patch names the type as well.
 */
export type MedicalRecordReplace =
  | ConditionRecordCreate
  | MedicationRecordCreate
  | AllergyRecordCreate
  | ObservationRecordCreate
  | ProcedureRecordCreate
  | NoteRecordCreate;
/**
 * One operation on a patient.
 */
export type PatientOperation = PatientCreateOperation | PatientUpdateOperation | PatientDeleteOperation;

/**
 * Every schema by its name.
 */
export interface Schemas {
  AgeBandCount: AgeBandCount;
  AllergyRecord: AllergyRecord;
  AllergyRecordCreate: AllergyRecordCreate;
  AllergyRecordPatch: AllergyRecordPatch;
  AlternativeCriterion: AlternativeCriterion;
  AlternativeCriterionCreate: AlternativeCriterionCreate;
  Analysis: Analysis;
  AnalysisBulkResult: AnalysisBulkResult;
  AnalysisOptions: AnalysisOptions;
  AnalysisRanking: AnalysisRanking;
  AnalysisRequest: AnalysisRequest;
  AnalysisStarted: AnalysisStarted;
  AnalyticsSource: AnalyticsSource;
  AnyOfCriterion: AnyOfCriterion;
  AnyOfCriterionCreate: AnyOfCriterionCreate;
  Attachment: Attachment;
  AttachmentEvent: AttachmentEvent;
  AttachmentPage: AttachmentPage;
  AttachmentPatch: AttachmentPatch;
  AttachmentUpload: AttachmentUpload;
  BulkEvent: BulkEvent;
  BurnedInText: BurnedInText;
  Candidate: Candidate;
  CheckedMedication: CheckedMedication;
  ClinicalData: ClinicalData;
  ClinicianDiagnosis: ClinicianDiagnosis;
  ClinicianDiagnosisCreate: ClinicianDiagnosisCreate;
  Coding: Coding1;
  CodingCreate: CodingCreate1;
  CodingPatch: CodingPatch1;
  Cohort: Cohort;
  CohortComparison: CohortComparison;
  CohortComparisonRequest: CohortComparisonRequest;
  CohortCreate: CohortCreate;
  CohortCriterion: CohortCriterion;
  CohortCriterionCreate: CohortCriterionCreate;
  CohortOverlap: CohortOverlap;
  CohortPage: CohortPage;
  CohortPatch: CohortPatch;
  CohortReplace: CohortReplace;
  ComparedCohort: ComparedCohort;
  ComparedFinding: ComparedFinding;
  Comparison: Comparison;
  ConditionCount: ConditionCount;
  ConditionRecord: ConditionRecord;
  ConditionRecordCreate: ConditionRecordCreate;
  ConditionRecordPatch: ConditionRecordPatch;
  ConditionReference: ConditionReference;
  ConfidenceScore: ConfidenceScore;
  Contraindication: Contraindication;
  DeletedPatient: DeletedPatient;
  DeletedPatientPage: DeletedPatientPage;
  DiagnosticAnalyzeOperation: DiagnosticAnalyzeOperation;
  DiagnosticBulk: DiagnosticBulk;
  DiagnosticBulkRequest: DiagnosticBulkRequest;
  DiagnosticBulkResult: DiagnosticBulkResult;
  DiagnosticCreateOperation: DiagnosticCreateOperation;
  DiagnosticDeleteOperation: DiagnosticDeleteOperation;
  DiagnosticEvent: DiagnosticEvent;
  DiagnosticFeedback: DiagnosticFeedback;
  DiagnosticFeedbackCreate: DiagnosticFeedbackCreate;
  DiagnosticImaging: DiagnosticImaging;
  DiagnosticOperation: DiagnosticOperation;
  DiagnosticRecord: DiagnosticRecord;
  DiagnosticRecordBulkResult: DiagnosticRecordBulkResult;
  DiagnosticRecordPage: DiagnosticRecordPage;
  DiagnosticRecordPatch: DiagnosticRecordPatch;
  DiagnosticRequest: DiagnosticRequest;
  DiagnosticResult: DiagnosticResult;
  DiagnosticUpdateOperation: DiagnosticUpdateOperation;
  DicomInstances: DicomInstances;
  Differential: Differential;
  DifferentialDetail: DifferentialDetail;
  DifferentialFinding: DifferentialFinding;
  DifferentialGraph: DifferentialGraph;
  DifferentialGraphRequest: DifferentialGraphRequest;
  DifferentialRequest: DifferentialRequest;
  DisclosureControl: DisclosureControl;
  DuplicateTherapy: DuplicateTherapy;
  ErrorBody: ErrorBody;
  ErrorDetail: ErrorDetail;
  ErrorEnvelope: ErrorEnvelope;
  Event: Event;
  EventPage: EventPage;
  FoodInteraction: FoodInteraction;
  GraphDegree: GraphDegree;
  GraphEntity: GraphEntity;
  GraphNeighbour: GraphNeighbour;
  GraphNeighbourPage: GraphNeighbourPage;
  GraphPath: GraphPath;
  GraphPathPage: GraphPathPage;
  GraphRecognized: GraphRecognized;
  GraphRelationship: GraphRelationship;
  GraphShortestPath: GraphShortestPath;
  GraphUnrecognized: GraphUnrecognized;
  ImagingAnalysis: ImagingAnalysis1;
  ImagingAnalysisAnswer: ImagingAnalysisAnswer;
  ImagingAnalysisRequest: ImagingAnalysisRequest;
  ImagingAnalyzer: ImagingAnalyzer;
  ImagingCheck: ImagingCheck;
  ImagingConditionLink: ImagingConditionLink;
  ImagingContext: ImagingContext;
  ImagingEvent: ImagingEvent;
  ImagingFinding: ImagingFinding;
  ImagingIdentity: ImagingIdentity;
  ImagingInstance: ImagingInstance;
  ImagingInstancePage: ImagingInstancePage;
  ImagingJobResult: ImagingJobResult;
  ImagingMeasure: ImagingMeasure;
  ImagingOrientation: ImagingOrientation1;
  ImagingRefusal: ImagingRefusal;
  ImagingRegion: ImagingRegion;
  ImagingStructure: ImagingStructure;
  ImagingStudy: ImagingStudy;
  ImagingStudyPage: ImagingStudyPage;
  ImagingStudyPatch: ImagingStudyPatch;
  ImagingSubject: ImagingSubject1;
  ImagingTag: ImagingTag;
  ImagingUpload: ImagingUpload;
  ImagingWindow: ImagingWindow;
  IncidencePoint: IncidencePoint;
  IncidenceSeries: IncidenceSeries;
  InteractionAllergy: InteractionAllergy;
  InteractionCheck: InteractionCheck;
  InteractionCheckRequest: InteractionCheckRequest;
  InteractionCondition: InteractionCondition;
  InteractionFinding: InteractionFinding;
  InteractionGroup: InteractionGroup;
  InteractionOverride: InteractionOverride;
  InteractionOverrideCreate: InteractionOverrideCreate;
  InteractionOverrideNote: InteractionOverrideNote;
  InteractionOverridePage: InteractionOverridePage;
  InteractionPair: InteractionPair;
  InteractionPatientData: InteractionPatientData1;
  InteractionSource: InteractionSource;
  InteractionSummary: InteractionSummary1;
  Job: Job;
  JobLinks: JobLinks;
  JobPage: JobPage;
  JobProgress: JobProgress;
  JobResult: JobResult;
  KnowledgeBase: KnowledgeBase;
  KnowledgeCode: KnowledgeCode;
  KnowledgeCondition: KnowledgeCondition;
  KnowledgeConditionPage: KnowledgeConditionPage;
  KnowledgeFinding: KnowledgeFinding;
  KnowledgeFindingPage: KnowledgeFindingPage;
  KnowledgeGraph: KnowledgeGraph;
  KnowledgeGuideline: KnowledgeGuideline;
  KnowledgeGuidelinePage: KnowledgeGuidelinePage;
  KnowledgeHighlight: KnowledgeHighlight;
  KnowledgeIncidence: KnowledgeIncidence;
  KnowledgeItem: KnowledgeItem;
  KnowledgeItemPage: KnowledgeItemPage;
  KnowledgeLikelihood: KnowledgeLikelihood;
  KnowledgeMatch: KnowledgeMatch;
  KnowledgeMatchPage: KnowledgeMatchPage;
  KnowledgeMeasurement: KnowledgeMeasurement;
  KnowledgeMedication: KnowledgeMedication;
  KnowledgeMedicationPage: KnowledgeMedicationPage;
  KnowledgeRecommendation: KnowledgeRecommendation;
  KnowledgeRedFlag: KnowledgeRedFlag;
  KnowledgeRedFlagPage: KnowledgeRedFlagPage;
  KnowledgeReference: KnowledgeReference;
  KnowledgeRelated: KnowledgeRelated;
  KnowledgeRelatedPage: KnowledgeRelatedPage;
  KnowledgeSource: KnowledgeSource;
  KnowledgeTreatment: KnowledgeTreatment;
  KnowledgeTreatmentPage: KnowledgeTreatmentPage;
  MeasurementCriterion: MeasurementCriterion;
  MeasurementCriterionCreate: MeasurementCriterionCreate;
  MedicalRecord: MedicalRecord;
  MedicalRecordCreate: MedicalRecordCreate;
  MedicalRecordPage: MedicalRecordPage;
  MedicalRecordPatch: MedicalRecordPatch;
  MedicalRecordReplace: MedicalRecordReplace;
  MedicationCode: MedicationCode;
  MedicationInput: MedicationInput;
  MedicationRecord: MedicationRecord;
  MedicationRecordCreate: MedicationRecordCreate;
  MedicationRecordPatch: MedicationRecordPatch;
  MedicationReference: MedicationReference;
  MedicationResolution: MedicationResolution;
  MedicationResolveRequest: MedicationResolveRequest;
  MedicationSubstance: MedicationSubstance;
  MedicationSuggestion: MedicationSuggestion;
  NextStep: NextStep;
  NoteRecord: NoteRecord;
  NoteRecordCreate: NoteRecordCreate;
  NoteRecordPatch: NoteRecordPatch;
  ObservationComponent: ObservationComponent;
  ObservationComponentCreate: ObservationComponentCreate;
  ObservationRecord: ObservationRecord;
  ObservationRecordCreate: ObservationRecordCreate;
  ObservationRecordPatch: ObservationRecordPatch;
  ObservationTrend: ObservationTrend;
  Outlook: Outlook;
  OverrideMedication: OverrideMedication;
  OverrideMedicationCode: OverrideMedicationCode;
  OverrideMedicationCodeCreate: OverrideMedicationCodeCreate;
  OverrideMedicationCreate: OverrideMedicationCreate;
  ParseRequest: ParseRequest;
  ParsedFinding: ParsedFinding;
  ParsedMedication: ParsedMedication;
  ParsedText: ParsedText;
  ParsedVitalSign: ParsedVitalSign;
  Patient: Patient;
  PatientBulk: PatientBulk;
  PatientBulkRequest: PatientBulkRequest;
  PatientBulkResult: PatientBulkResult;
  PatientChange: PatientChange;
  PatientChangePage: PatientChangePage;
  PatientCreate: PatientCreate;
  PatientCreateOperation: PatientCreateOperation;
  PatientCriterion: PatientCriterion;
  PatientCriterionCreate: PatientCriterionCreate;
  PatientDeleteOperation: PatientDeleteOperation;
  PatientEvent: PatientEvent;
  PatientFactCondition: PatientFactCondition;
  PatientFacts: PatientFacts;
  PatientGraph: PatientGraph;
  PatientMatch: PatientMatch;
  PatientMatchPage: PatientMatchPage;
  PatientOperation: PatientOperation;
  PatientPage: PatientPage;
  PatientPatch: PatientPatch;
  PatientReplace: PatientReplace;
  PatientUpdateOperation: PatientUpdateOperation;
  PatientWarning: PatientWarning;
  PixelSpacing: PixelSpacing;
  PopulationGroup: PopulationGroup;
  PopulationSummary: PopulationSummary;
  PrevalencePoint: PrevalencePoint;
  PrevalenceSeries: PrevalenceSeries;
  ProcedureRecord: ProcedureRecord;
  ProcedureRecordCreate: ProcedureRecordCreate;
  ProcedureRecordPatch: ProcedureRecordPatch;
  Qualifier: Qualifier;
  QualityMeasure: QualityMeasure;
  QualityMeasurePage: QualityMeasurePage;
  QualityMeasureResult: QualityMeasureResult;
  Quantity: Quantity;
  Reason: Reason;
  RecognizedFinding: RecognizedFinding;
  RecordCriterion: RecordCriterion;
  RecordCriterionCreate: RecordCriterionCreate;
  RecordEvent: RecordEvent;
  RecordVersion: RecordVersion;
  RecordVersionPage: RecordVersionPage;
  RedFlag: RedFlag;
  ReferenceRange: ReferenceRange;
  ReferenceRangeCreate: ReferenceRangeCreate;
  ReferenceRangePatch: ReferenceRangePatch;
  ResolvedMedication: ResolvedMedication1;
  ResponseMeta: ResponseMeta;
  RiskComponent: RiskComponent;
  RiskGroup: RiskGroup;
  RiskStratification: RiskStratification;
  SecretRotationRequest: SecretRotationRequest;
  SeverityCounts: SeverityCounts1;
  SexCount: SexCount;
  SubscriptionEvent: SubscriptionEvent;
  Suggestion: Suggestion;
  TextLanguage: TextLanguage;
  TextSpan: TextSpan;
  Treatment: Treatment;
  TrendPoint: TrendPoint;
  UnitConversion: UnitConversion;
  UnresolvedEntry: UnresolvedEntry;
  VersionErrorEnvelope: VersionErrorEnvelope;
  WebhookAttempt: WebhookAttempt;
  WebhookAttemptPage: WebhookAttemptPage;
  WebhookDelivery: WebhookDelivery;
  WebhookDeliveryPage: WebhookDeliveryPage;
  WebhookReplay: WebhookReplay;
  WebhookReplayRequest: WebhookReplayRequest;
  WebhookSecret: WebhookSecret;
  WebhookSubscription: WebhookSubscription;
  WebhookSubscriptionCreate: WebhookSubscriptionCreate;
  WebhookSubscriptionPage: WebhookSubscriptionPage;
  WebhookSubscriptionPatch: WebhookSubscriptionPatch;
  WebhookTestEvent: WebhookTestEvent;
  CohortsListQuery: CohortsListQuery;
  AnalyticsIncidenceQuery: AnalyticsIncidenceQuery;
  AnalyticsObservationTrendQuery: AnalyticsObservationTrendQuery;
  AnalyticsPopulationQuery: AnalyticsPopulationQuery;
  AnalyticsPrevalenceQuery: AnalyticsPrevalenceQuery;
  QualityMeasuresListQuery: QualityMeasuresListQuery;
  QualityMeasuresEvaluateQuery: QualityMeasuresEvaluateQuery;
  AnalyticsRiskStratificationQuery: AnalyticsRiskStratificationQuery;
  DiagnosticsListQuery: DiagnosticsListQuery;
  DiagnosticsBulkQuery: DiagnosticsBulkQuery;
  DiagnosticsDeleteQuery: DiagnosticsDeleteQuery;
  DiagnosticsGetQuery: DiagnosticsGetQuery;
  DiagnosticsUpdateQuery: DiagnosticsUpdateQuery;
  DiagnosticsGiveFeedbackQuery: DiagnosticsGiveFeedbackQuery;
  DiagnosticsRestoreQuery: DiagnosticsRestoreQuery;
  DicomwebInstancesSearchQuery: DicomwebInstancesSearchQuery;
  DicomwebSeriesSearchQuery: DicomwebSeriesSearchQuery;
  DicomwebStudiesSearchQuery: DicomwebStudiesSearchQuery;
  DicomwebStudiesInstancesSearchQuery: DicomwebStudiesInstancesSearchQuery;
  DicomwebStudiesSeriesSearchQuery: DicomwebStudiesSeriesSearchQuery;
  DicomwebSeriesInstancesSearchQuery: DicomwebSeriesInstancesSearchQuery;
  DicomwebInstancesRenderedQuery: DicomwebInstancesRenderedQuery;
  EventsListQuery: EventsListQuery;
  EventsGetQuery: EventsGetQuery;
  ImagingStudiesListQuery: ImagingStudiesListQuery;
  ImagingStudiesCreateQuery: ImagingStudiesCreateQuery;
  ImagingInstancesListQuery: ImagingInstancesListQuery;
  ImagingStudiesPreviewQuery: ImagingStudiesPreviewQuery;
  ImagingResultsListQuery: ImagingResultsListQuery;
  ImagingStudiesThumbnailQuery: ImagingStudiesThumbnailQuery;
  JobsListQuery: JobsListQuery;
  JobsGetQuery: JobsGetQuery;
  JobsCancelQuery: JobsCancelQuery;
  JobsResultQuery: JobsResultQuery;
  KnowledgeConditionsListQuery: KnowledgeConditionsListQuery;
  KnowledgeFindingsListQuery: KnowledgeFindingsListQuery;
  KnowledgeGraphListEntitiesQuery: KnowledgeGraphListEntitiesQuery;
  KnowledgeGraphListNeighboursQuery: KnowledgeGraphListNeighboursQuery;
  KnowledgeGraphListPathsQuery: KnowledgeGraphListPathsQuery;
  KnowledgeGraphPatientQuery: KnowledgeGraphPatientQuery;
  KnowledgeGraphShortestPathQuery: KnowledgeGraphShortestPathQuery;
  KnowledgeGuidelinesListQuery: KnowledgeGuidelinesListQuery;
  KnowledgeRelatedQuery: KnowledgeRelatedQuery;
  KnowledgeMedicationsListQuery: KnowledgeMedicationsListQuery;
  KnowledgeRedFlagsListQuery: KnowledgeRedFlagsListQuery;
  KnowledgeSearchQuery: KnowledgeSearchQuery;
  KnowledgeTreatmentsListQuery: KnowledgeTreatmentsListQuery;
  InteractionOverridesListQuery: InteractionOverridesListQuery;
  PatientsListQuery: PatientsListQuery;
  PatientsBulkQuery: PatientsBulkQuery;
  PatientsListDeletedQuery: PatientsListDeletedQuery;
  PatientsExportQuery: PatientsExportQuery;
  PatientsSearchQuery: PatientsSearchQuery;
  PatientsHistoryQuery: PatientsHistoryQuery;
  RecordsListQuery: RecordsListQuery;
  AttachmentsListQuery: AttachmentsListQuery;
  RecordsHistoryQuery: RecordsHistoryQuery;
  RecordsQueryQuery: RecordsQueryQuery;
  RecordsExportQuery: RecordsExportQuery;
  UnitsConvertQuery: UnitsConvertQuery;
  WebhooksListQuery: WebhooksListQuery;
  WebhooksListDeliveriesQuery: WebhooksListDeliveriesQuery;
  WebhooksListAttemptsQuery: WebhooksListAttemptsQuery;
}
/**
 * People of one age band.
 */
export interface AgeBandCount {
  /**
   * Years of age reached in the calendar year of `as_of`.
   */
  age_band: '0-9' | '10-19' | '20-29' | '30-39' | '40-49' | '50-59' | '60-69' | '70-79' | '80-89' | '90+';
  /**
   * People in the band. Rounded; null when suppressed.
   */
  people: number | null;
}
/**
 * Something that the patient reacts to.
 */
export interface AllergyRecord {
  /**
   * Record identifier.
   */
  id: string;
  /**
   * The patient it is about.
   */
  patient_id: string;
  /**
   * Type of the record; it never changes.
   */
  type: 'allergy';
  /**
   * State. `entered_in_error` says that it should never have been there.
   */
  status: 'active' | 'inactive' | 'resolved' | 'entered_in_error';
  code: Coding;
  /**
   * When it began, was measured, was done or was written; null when not known.
   */
  effective_at: string | null;
  /**
   * Who stated it.
   */
  author: string | null;
  /**
   * The substance, in words.
   */
  substance: string | null;
  /**
   * Kind of substance.
   */
  category: 'medication' | 'food' | 'environment' | 'biologic' | null;
  /**
   * What happens.
   */
  reaction: string | null;
  /**
   * How severe the reaction was.
   */
  severity: 'mild' | 'moderate' | 'severe' | null;
  /**
   * How dangerous the next one may be.
   */
  criticality: 'low' | 'high' | 'unable_to_assess' | null;
  /**
   * When the record was created.
   */
  created_at: string;
  /**
   * When the record was last changed.
   */
  updated_at: string;
}
/**
 * The allergy or the substance.
 */
export interface Coding {
  /**
   * Address of the code system, as HL7 FHIR gives it.
   */
  system: string;
  /**
   * The code. Codes of LOINC, SNOMED CT, ICD-10, ATC and RxNorm are checked for their form.
   */
  code: string;
  /**
   * What the code means, in words.
   */
  display: string | null;
}
/**
 * Something that the patient reacts to.
 */
export interface AllergyRecordCreate {
  /**
   * Record identifier.
   */
  id?: {
    [k: string]: unknown;
  };
  /**
   * The patient it is about.
   */
  patient_id?: {
    [k: string]: unknown;
  };
  /**
   * Type of the record; it never changes.
   */
  type: 'allergy';
  /**
   * State. `entered_in_error` says that it should never have been there.
   */
  status: 'active' | 'inactive' | 'resolved' | 'entered_in_error';
  code: CodingCreate;
  /**
   * When it began, was measured, was done or was written; null when not known.
   */
  effective_at?: string | null;
  /**
   * Who stated it.
   */
  author?: string | null;
  /**
   * The substance, in words.
   */
  substance?: string | null;
  /**
   * Kind of substance.
   */
  category?: 'medication' | 'food' | 'environment' | 'biologic' | null;
  /**
   * What happens.
   */
  reaction?: string | null;
  /**
   * How severe the reaction was.
   */
  severity?: 'mild' | 'moderate' | 'severe' | null;
  /**
   * How dangerous the next one may be.
   */
  criticality?: 'low' | 'high' | 'unable_to_assess' | null;
  /**
   * When the record was created.
   */
  created_at?: {
    [k: string]: unknown;
  };
  /**
   * When the record was last changed.
   */
  updated_at?: {
    [k: string]: unknown;
  };
}
/**
 * The allergy or the substance.
 */
export interface CodingCreate {
  /**
   * Address of the code system, as HL7 FHIR gives it.
   */
  system: string;
  /**
   * The code. Codes of LOINC, SNOMED CT, ICD-10, ATC and RxNorm are checked for their form.
   */
  code: string;
  /**
   * What the code means, in words.
   */
  display?: string | null;
}
/**
 * Something that the patient reacts to.
 */
export interface AllergyRecordPatch {
  /**
   * Record identifier.
   */
  id?: {
    [k: string]: unknown;
  };
  /**
   * The patient it is about.
   */
  patient_id?: {
    [k: string]: unknown;
  };
  /**
   * Type of the record; it never changes.
   */
  type?: 'allergy';
  /**
   * State. `entered_in_error` says that it should never have been there.
   */
  status?: 'active' | 'inactive' | 'resolved' | 'entered_in_error';
  code?: CodingPatch;
  /**
   * When it began, was measured, was done or was written; null when not known.
   */
  effective_at?: string | null;
  /**
   * Who stated it.
   */
  author?: string | null;
  /**
   * The substance, in words.
   */
  substance?: string | null;
  /**
   * Kind of substance.
   */
  category?: 'medication' | 'food' | 'environment' | 'biologic' | null;
  /**
   * What happens.
   */
  reaction?: string | null;
  /**
   * How severe the reaction was.
   */
  severity?: 'mild' | 'moderate' | 'severe' | null;
  /**
   * How dangerous the next one may be.
   */
  criticality?: 'low' | 'high' | 'unable_to_assess' | null;
  /**
   * When the record was created.
   */
  created_at?: {
    [k: string]: unknown;
  };
  /**
   * When the record was last changed.
   */
  updated_at?: {
    [k: string]: unknown;
  };
}
/**
 * The allergy or the substance.
 */
export interface CodingPatch {
  /**
   * Address of the code system, as HL7 FHIR gives it.
   */
  system?: string;
  /**
   * The code. Codes of LOINC, SNOMED CT, ICD-10, ATC and RxNorm are checked for their form.
   */
  code?: string;
  /**
   * What the code means, in words.
   */
  display?: string | null;
}
/**
 * A criterion on the patient record.
 */
export interface PatientCriterion {
  /**
   * A criterion on the patient record.
   */
  kind: 'patient';
  /**
   * Path of the field, in the names of the version spoken.
   */
  field:
    'dob' | 'sex' | 'gender_identity' | 'contact_info.email' | 'contact_info.phone' | 'contact_info.preferred_method';
  /**
   * `is` and `is_not` for `sex` and the preferred way of contact, `from` and `before` for the date of birth, `recorded` and `not_recorded` for all but it.
   */
  test: 'is' | 'is_not' | 'from' | 'before' | 'recorded' | 'not_recorded';
  /**
   * What it is compared with; null for `recorded` and `not_recorded`. A date of birth is 1 January of a year that five divides.
   */
  value: string | null;
}
/**
 * A criterion on whether the patient has a medical record.
 */
export interface RecordCriterion {
  /**
   * A criterion on whether there is a medical record.
   */
  kind: 'record';
  /**
   * Type of record.
   */
  type: 'condition' | 'medication' | 'allergy' | 'observation' | 'procedure';
  /**
   * Code of the record.
   */
  code: string;
  /**
   * Address of the code system; null for any.
   */
  system: string | null;
  /**
   * Whether longer codes that begin with it count too: `starts_with` (also when null) or `exact`.
   */
  match: 'starts_with' | 'exact' | null;
  /**
   * Only records from this month on, UTC; null for no limit.
   */
  from: string | null;
  /**
   * Only records up to this month and including it, UTC; null for no limit.
   */
  until: string | null;
  /**
   * Whether the patient must have such a record, or must not.
   */
  present: boolean;
}
/**
 * A criterion on the latest value of an observation; values in other units are not looked at.
 */
export interface MeasurementCriterion {
  /**
   * A criterion on the latest value of an observation.
   */
  kind: 'measurement';
  /**
   * Code of the observation.
   */
  code: string;
  /**
   * Address of the code system; null for any.
   */
  system: string | null;
  /**
   * How the latest value must lie to `value`.
   */
  test: 'at_least' | 'below';
  /**
   * What the latest value is compared with; at most three significant digits.
   */
  value: number;
  /**
   * UCUM unit of `value`.
   */
  unit: string;
}
/**
 * A criterion on the patient record.
 */
export interface PatientCriterionCreate {
  /**
   * A criterion on the patient record.
   */
  kind: 'patient';
  /**
   * Path of the field, in the names of the version spoken.
   */
  field:
    'dob' | 'sex' | 'gender_identity' | 'contact_info.email' | 'contact_info.phone' | 'contact_info.preferred_method';
  /**
   * `is` and `is_not` for `sex` and the preferred way of contact, `from` and `before` for the date of birth, `recorded` and `not_recorded` for all but it.
   */
  test: 'is' | 'is_not' | 'from' | 'before' | 'recorded' | 'not_recorded';
  /**
   * What it is compared with; null for `recorded` and `not_recorded`. A date of birth is 1 January of a year that five divides.
   */
  value?: string | null;
}
/**
 * A criterion on whether the patient has a medical record.
 */
export interface RecordCriterionCreate {
  /**
   * A criterion on whether there is a medical record.
   */
  kind: 'record';
  /**
   * Type of record.
   */
  type: 'condition' | 'medication' | 'allergy' | 'observation' | 'procedure';
  /**
   * Code of the record.
   */
  code: string;
  /**
   * Address of the code system; null for any.
   */
  system?: string | null;
  /**
   * Whether longer codes that begin with it count too: `starts_with` (also when null) or `exact`.
   */
  match?: 'starts_with' | 'exact' | null;
  /**
   * Only records from this month on, UTC; null for no limit.
   */
  from?: string | null;
  /**
   * Only records up to this month and including it, UTC; null for no limit.
   */
  until?: string | null;
  /**
   * Whether the patient must have such a record, or must not.
   */
  present: boolean;
}
/**
 * A criterion on the latest value of an observation; values in other units are not looked at.
 */
export interface MeasurementCriterionCreate {
  /**
   * A criterion on the latest value of an observation.
   */
  kind: 'measurement';
  /**
   * Code of the observation.
   */
  code: string;
  /**
   * Address of the code system; null for any.
   */
  system?: string | null;
  /**
   * How the latest value must lie to `value`.
   */
  test: 'at_least' | 'below';
  /**
   * What the latest value is compared with; at most three significant digits.
   */
  value: number;
  /**
   * UCUM unit of `value`.
   */
  unit: string;
}
/**
 * Answer of a diagnostic analysis.
 */
export interface Analysis {
  diagnostic_result: DiagnosticResult;
  /**
   * False where nothing that was sent was understood; no suggestion is then no all-clear.
   */
  understood?: boolean;
}
/**
 * The result of a diagnostic analysis.
 */
export interface DiagnosticResult {
  /**
   * Identifier of this result.
   */
  id: string;
  /**
   * Suggested conditions, most likely first.
   */
  suggestions: Suggestion[];
  /**
   * Danger signs; they hold whatever the ranking says.
   */
  red_flags: RedFlag[];
  /**
   * How soon the patient should be seen.
   */
  triage: {
    /**
     * How soon the patient should be seen.
     */
    level: 'emergency' | 'urgent' | 'soon' | 'routine' | 'self_care';
    /**
     * Why.
     */
    reasons: string[];
    /**
     * The worst conditions that are not unlikely and made the level what it is, likeliest first.
     */
    weighed?: {
      /**
       * Condition in the knowledge base.
       */
      condition_id: string;
      /**
       * Name of the condition.
       */
      name: string;
      /**
       * How soon it would have to be seen.
       */
      urgency: 'emergency' | 'urgent' | 'soon' | 'routine' | 'self_care';
      /**
       * How likely it is.
       */
      probability: number;
    }[];
  };
  /**
   * What was understood.
   */
  recognized_findings: RecognizedFinding[];
  /**
   * What was not understood, as it was sent.
   */
  unrecognized: string[];
  /**
   * False where nothing that was sent was understood: then there is no suggestion, and the level is never milder than soon.
   */
  understood?: boolean;
  /**
   * The languages of the texts, where they could be told.
   */
  languages?: TextLanguage[];
  /**
   * Version of the inference engine.
   */
  model_version: string;
  /**
   * Version of the knowledge base.
   */
  knowledge_version: string;
  /**
   * What this result is and is not.
   */
  disclaimer: string;
}
/**
 * One suggested condition.
 */
export interface Suggestion {
  /**
   * The condition suggested.
   */
  condition: {
    /**
     * Condition in the knowledge base.
     */
    id: string;
    /**
     * Name of the condition.
     */
    name: string;
    /**
     * ICD-10 codes.
     */
    icd10: string[];
  };
  /**
   * Place in the ranking, from 1.
   */
  rank: number;
  confidence: ConfidenceScore | null;
  /**
   * How soon this condition would have to be seen.
   */
  urgency: 'emergency' | 'urgent' | 'soon' | 'routine' | 'self_care';
  /**
   * What speaks for it, strongest first.
   */
  supporting: Reason[];
  /**
   * What speaks against it, strongest first.
   */
  conflicting: Reason[];
  /**
   * What would be most useful to ask next.
   */
  missing: {
    /**
     * Finding in the knowledge base.
     */
    finding_id: string;
    /**
     * Name of the finding.
     */
    name: string;
  }[];
  /**
   * Usual treatments.
   */
  treatments: Treatment[];
  /**
   * Where the knowledge comes from.
   */
  sources: {
    /**
     * Title.
     */
    title: string;
    /**
     * Address.
     */
    url: string | null;
    /**
     * Year of publication.
     */
    year: number | null;
  }[];
}
/**
 * Confidence with interval and sources of doubt.
 */
export interface ConfidenceScore {
  /**
   * Point estimate of the probability that the suggestion is right.
   */
  estimate: number;
  /**
   * Interval around the estimate.
   */
  interval: {
    /**
     * Lower end.
     */
    low: number;
    /**
     * Upper end.
     */
    high: number;
    /**
     * How often the interval is meant to hold the truth.
     */
    level: number;
  };
  /**
   * What the uncertainty comes from, largest first.
   */
  uncertainty: {
    /**
     * What the uncertainty comes from.
     */
    source:
      | 'sparse_findings'
      | 'weak_evidence'
      | 'close_alternatives'
      | 'unrecognized_input'
      | 'missing_vital_signs'
      | 'missing_demographics';
    /**
     * Its share of the whole uncertainty.
     */
    contribution: number;
  }[];
}
/**
 * A finding that speaks for or against a suggestion.
 */
export interface Reason {
  /**
   * Finding in the knowledge base.
   */
  finding_id: string;
  /**
   * Name of the finding.
   */
  name: string;
  /**
   * Base-10 logarithm of the likelihood ratio; positive speaks for.
   */
  weight: number;
  /**
   * The reason in words.
   */
  text: string;
}
/**
 * A treatment that is usual for a condition.
 */
export interface Treatment {
  /**
   * Treatment in the knowledge base.
   */
  id: string;
  /**
   * Name of the treatment.
   */
  name: string;
  /**
   * Kind of treatment.
   */
  kind: 'medication' | 'procedure' | 'lifestyle' | 'referral' | 'monitoring' | 'supportive';
  /**
   * When and how.
   */
  notes: string | null;
  /**
   * What is known of the patient and speaks against it, worst first.
   */
  contraindications: Contraindication[];
  /**
   * Whether it was checked against what is on record and what is taken; false without `patient_id`, and for treatments that are no definite medicine. No entry above is then no all-clear.
   */
  record_checked: boolean;
}
/**
 * Something known of the patient that speaks against a treatment.
 */
export interface Contraindication {
  /**
   * What speaks against it: a finding of this analysis, something on the record, or a medicine that is taken.
   */
  kind: 'finding' | 'allergy' | 'condition' | 'age' | 'pregnancy' | 'lactation' | 'kidney' | 'liver' | 'interaction';
  /**
   * How much it matters; null where the knowledge does not grade it.
   */
  severity: 'contraindicated' | 'major' | 'moderate' | 'minor' | null;
  /**
   * The reason in words.
   */
  text: string;
  /**
   * What to do about it.
   */
  management: string | null;
  /**
   * The substances of the treatment that it holds for; empty where it holds for the treatment itself.
   */
  substances: string[];
}
/**
 * A danger sign that a rule found.
 */
export interface RedFlag {
  /**
   * Rule in the knowledge base.
   */
  id: string;
  /**
   * Name of the danger.
   */
  name: string;
  /**
   * What to do.
   */
  message: string;
  /**
   * How soon.
   */
  urgency: 'emergency' | 'urgent';
  /**
   * The findings that raised it.
   */
  finding_ids: string[];
  /**
   * The words that raised it; none where measurements did.
   */
  words?: string[];
}
/**
 * A finding read from what was sent.
 */
export interface RecognizedFinding {
  /**
   * Finding in the knowledge base.
   */
  finding_id: string;
  /**
   * Name of the finding.
   */
  name: string;
  /**
   * False when the text says that it is absent.
   */
  present: boolean;
  /**
   * The words that led to it; null for a vital sign.
   */
  text: string | null;
  /**
   * Where it was read.
   */
  source: 'symptom' | 'vital_sign' | 'history';
}
/**
 * A language that texts were sent in.
 */
export interface TextLanguage {
  /**
   * Language tag (RFC 5646).
   */
  language: string;
  /**
   * English name of the language.
   */
  name: string;
  /**
   * Whether texts in it are understood.
   */
  is_read: boolean;
}
/**
 * What became of one analysis.
 */
export interface AnalysisBulkResult {
  /**
   * Tells results apart.
   */
  kind: 'analysis';
  /**
   * Place of the operation in what was sent, from 0.
   */
  index: number;
  /**
   * What was asked.
   */
  action: 'analyze';
  /**
   * What became of it. refused: it was not valid as it was sent, and its pointers are in the names of the version it was sent in. failed: it could not be done. not_done: its turn did not come, or what it did was rolled back.
   */
  status: 'succeeded' | 'refused' | 'failed' | 'not_done';
  /**
   * The result; null where there is none.
   */
  id: string | null;
  /**
   * The analysis.
   */
  data: Analysis | null;
  /**
   * Why it was refused or failed; pointers lead into what was sent: `/operations/<index>/…`.
   */
  error: ErrorBody | null;
}
/**
 * Why a request failed.
 */
export interface ErrorBody {
  /**
   * Stable code of the error; see the list of error codes.
   */
  code:
    | 'body_malformed'
    | 'body_too_large'
    | 'computation_timeout'
    | 'computation_too_large'
    | 'conflict'
    | 'core_failed'
    | 'core_timeout'
    | 'credential_expired'
    | 'credential_format_retired'
    | 'credential_invalid'
    | 'credential_missing'
    | 'credential_place_retired'
    | 'delivery_erased'
    | 'expectation_failed'
    | 'headers_too_large'
    | 'idempotency_answer_erased'
    | 'idempotency_in_flight'
    | 'idempotency_key_invalid'
    | 'idempotency_key_reused'
    | 'image_too_large'
    | 'image_unreadable'
    | 'instance_exists'
    | 'internal_error'
    | 'job_ended'
    | 'job_unfinished'
    | 'limit_reached'
    | 'media_type_unsupported'
    | 'method_not_allowed'
    | 'not_acceptable'
    | 'not_found'
    | 'operation_not_in_version'
    | 'precondition_failed'
    | 'range_not_satisfiable'
    | 'rate_limited'
    | 'request_malformed'
    | 'result_expired'
    | 'route_unknown'
    | 'scope_missing'
    | 'storage_full'
    | 'subscription_inactive'
    | 'translation_failed'
    | 'unavailable'
    | 'uri_too_long'
    | 'validation_failed'
    | 'version_sunset'
    | 'version_unknown';
  /**
   * What went wrong and what to do; may change without a new version.
   */
  message: string;
  /**
   * Each fault with its place; empty when the error is not about a place.
   *
   * @maxItems 100
   */
  details: ErrorDetail[];
  /**
   * Where the code is explained.
   */
  documentation_url: string;
  /**
   * On errors about the version: the versions that can be called.
   */
  supported_versions?: string[];
  /**
   * On operation_not_in_version: the first version that has the operation.
   */
  available_from?: string;
  /**
   * On translation_failed: the change that failed.
   */
  change?: string;
  /**
   * On translation_failed: whether the write was carried out before the failure.
   */
  committed?: boolean;
  /**
   * On translation_failed after a write: the object that was written.
   */
  resource_id?: string;
}
/**
 * One fault in what the client sent.
 */
export interface ErrorDetail {
  /**
   * Stable code of the fault.
   */
  code:
    | 'address_forbidden'
    | 'code_malformed'
    | 'content_mismatch'
    | 'cursor_invalid'
    | 'duplicate_entry'
    | 'https_required'
    | 'immutable'
    | 'implausible'
    | 'in_future'
    | 'invalid_text'
    | 'malformed'
    | 'missing_input'
    | 'not_allowed_value'
    | 'not_both'
    | 'not_readable'
    | 'repeated_parameter'
    | 'required'
    | 'too_broad'
    | 'too_few'
    | 'too_large'
    | 'too_long'
    | 'too_many'
    | 'too_short'
    | 'too_small'
    | 'unit_unfit'
    | 'unit_unknown'
    | 'unknown_field'
    | 'unknown_parameter'
    | 'wrong_format'
    | 'wrong_type';
  /**
   * What is wrong, in words; may change without a new version.
   */
  message: string;
  /**
   * RFC 6901 pointer into the body that was sent.
   */
  pointer?: string;
  /**
   * Name of the query or path parameter.
   */
  parameter?: string;
  /**
   * Name of the header.
   */
  header?: string;
}
/**
 * Processing options.
 */
export interface AnalysisOptions {
  /**
   * Whether confidence scores are returned.
   */
  includeConfidenceScores?: boolean;
  /**
   * Most suggestions returned.
   */
  maxResults?: number;
  /**
   * Whether the result is kept as a diagnostic record of the patient that `patient_id` names.
   */
  save?: boolean;
}
/**
 * How the ranking of a streamed analysis stands.
 */
export interface AnalysisRanking {
  /**
   * How many texts it rests on.
   */
  texts_read: number;
  /**
   * Whether all have been read: the order is the result’s.
   */
  settled: boolean;
  /**
   * The likeliest conditions so far.
   */
  suggestions: Suggestion[];
}
/**
 * Input of a diagnostic analysis.
 */
export interface AnalysisRequest {
  /**
   * A patient: age and sex are taken from there unless they are sent, active conditions count as history, and treatments are checked against allergies, conditions, pregnancy, kidney function and medicines on record. Needs the scope patients:read.
   */
  patient_id?: string;
  patientData: ClinicalData;
  options?: AnalysisOptions;
}
/**
 * Clinical data of the patient; at least one symptom or vital sign.
 */
export interface ClinicalData {
  /**
   * Age in completed years.
   */
  age?: number;
  /**
   * Sex of the patient.
   */
  sex?: 'female' | 'male' | 'other' | 'unknown';
  /**
   * Symptoms: words, clinical terms or sentences; "no fever" says that fever is absent.
   *
   * @maxItems 200
   */
  symptoms?: string[];
  /**
   * Past illness, operations, medicines and allergies, in words.
   */
  history?: string;
  /**
   * Illness in the family, in words.
   */
  familyHistory?: string;
  /**
   * Habits, work, travel and way of life, in words.
   */
  socialHistory?: string;
  /**
   * Medicines taken now, one an entry; treatments are checked against them.
   *
   * @maxItems 50
   */
  medications?: string[];
  /**
   * Vital signs. What nobody of that age can have is refused: it means another unit.
   */
  vitalSigns?: {
    /**
     * Body temperature in °C.
     */
    temperature?: number;
    /**
     * Blood pressure.
     */
    bloodPressure?: {
      /**
       * Systolic pressure in mmHg.
       */
      systolic?: number;
      /**
       * Diastolic pressure in mmHg.
       */
      diastolic?: number;
    };
    /**
     * Heart rate per minute.
     */
    heartRate?: number;
    /**
     * Breaths per minute.
     */
    respiratoryRate?: number;
    /**
     * Oxygen saturation in percent.
     */
    oxygenSaturation?: number;
  };
}
/**
 * The beginning of a streamed analysis. A stream that goes on after Last-Event-ID does not begin with it; one that does begins anew.
 */
export interface AnalysisStarted {
  /**
   * Identifier that the result will have.
   */
  id: string;
  /**
   * How many texts will be read.
   */
  texts: number;
  /**
   * Version of the inference engine.
   */
  model_version: string;
  /**
   * Version of the knowledge base.
   */
  knowledge_version: string;
  /**
   * What this result is and is not.
   */
  disclaimer: string;
}
/**
 * Where a definition was published.
 */
export interface AnalyticsSource {
  /**
   * Title.
   */
  title: string;
  /**
   * Journal or organisation.
   */
  publisher: string;
  /**
   * Year of publication.
   */
  year: number;
  /**
   * Address.
   */
  url: string;
}
/**
 * Criteria of which at least one must hold.
 */
export interface AnyOfCriterion {
  /**
   * Criteria of which at least one must hold.
   */
  kind: 'any_of';
  /**
   * At least one of these must hold.
   *
   * @minItems 1
   * @maxItems 6
   */
  criteria:
    | [AlternativeCriterion]
    | [AlternativeCriterion, AlternativeCriterion]
    | [AlternativeCriterion, AlternativeCriterion, AlternativeCriterion]
    | [AlternativeCriterion, AlternativeCriterion, AlternativeCriterion, AlternativeCriterion]
    | [AlternativeCriterion, AlternativeCriterion, AlternativeCriterion, AlternativeCriterion, AlternativeCriterion]
    | [
        AlternativeCriterion,
        AlternativeCriterion,
        AlternativeCriterion,
        AlternativeCriterion,
        AlternativeCriterion,
        AlternativeCriterion
      ];
}
/**
 * Criteria of which at least one must hold.
 */
export interface AnyOfCriterionCreate {
  /**
   * Criteria of which at least one must hold.
   */
  kind: 'any_of';
  /**
   * At least one of these must hold.
   *
   * @minItems 1
   * @maxItems 6
   */
  criteria:
    | [AlternativeCriterionCreate]
    | [AlternativeCriterionCreate, AlternativeCriterionCreate]
    | [AlternativeCriterionCreate, AlternativeCriterionCreate, AlternativeCriterionCreate]
    | [AlternativeCriterionCreate, AlternativeCriterionCreate, AlternativeCriterionCreate, AlternativeCriterionCreate]
    | [
        AlternativeCriterionCreate,
        AlternativeCriterionCreate,
        AlternativeCriterionCreate,
        AlternativeCriterionCreate,
        AlternativeCriterionCreate
      ]
    | [
        AlternativeCriterionCreate,
        AlternativeCriterionCreate,
        AlternativeCriterionCreate,
        AlternativeCriterionCreate,
        AlternativeCriterionCreate,
        AlternativeCriterionCreate
      ];
}
/**
 * A file that belongs to a medical record.
 */
export interface Attachment {
  /**
   * Attachment identifier.
   */
  id: string;
  /**
   * The record it belongs to.
   */
  record_id: string;
  /**
   * Name of the file, without a folder.
   */
  file_name: string;
  /**
   * What it shows.
   */
  description: string | null;
  /**
   * Media type, found out from the content.
   */
  media_type: string;
  /**
   * Size in bytes.
   */
  size: number;
  /**
   * SHA-256 of the content, in hexadecimal.
   */
  sha256: string;
  /**
   * When it was uploaded.
   */
  created_at: string;
  /**
   * When its name or description was last changed.
   */
  updated_at: string;
}
/**
 * Something that happened to an attachment.
 */
export interface AttachmentEvent {
  /**
   * Event identifier; the same in every delivery of it.
   */
  id: string;
  /**
   * What happened.
   */
  type: 'attachment.created' | 'attachment.updated' | 'attachment.deleted';
  /**
   * When it happened.
   */
  timestamp: string;
  /**
   * Number of the event among those of its object: deliveries can overtake each other, numbers do not.
   */
  sequence: number;
  /**
   * What it happened to.
   */
  object_type: 'attachment';
  /**
   * The object it happened to.
   */
  object_id: string;
  /**
   * Whose data it is about; null for an object that is nobody’s.
   */
  patient_id: string | null;
  /**
   * The object as the change left it. Null when it was deleted, when its patient has been, when the key may not read it, where only identifiers were asked for, and when it was written before this version, which has another shape for it.
   */
  data: Attachment | null;
}
/**
 * One page of a list.
 */
export interface AttachmentPage {
  /**
   * The entries of this page, in the order asked for.
   *
   * @maxItems 100
   */
  items: Attachment[];
  /**
   * Send it as `cursor` to get the next page; null on the last page.
   */
  next_cursor: string | null;
  /**
   * Whether entries follow this page.
   */
  has_more: boolean;
  /**
   * Entries in the whole list; only when `include_total=true` was asked.
   */
  total?: number;
  minItems?: 0;
}
/**
 * A file that belongs to a medical record.
 */
export interface AttachmentPatch {
  /**
   * Attachment identifier.
   */
  id?: {
    [k: string]: unknown;
  };
  /**
   * The record it belongs to.
   */
  record_id?: {
    [k: string]: unknown;
  };
  /**
   * Name of the file, without a folder.
   */
  file_name?: string;
  /**
   * What it shows.
   */
  description?: string | null;
  /**
   * Media type, found out from the content.
   */
  media_type?: {
    [k: string]: unknown;
  };
  /**
   * Size in bytes.
   */
  size?: {
    [k: string]: unknown;
  };
  /**
   * SHA-256 of the content, in hexadecimal.
   */
  sha256?: {
    [k: string]: unknown;
  };
  /**
   * When it was uploaded.
   */
  created_at?: {
    [k: string]: unknown;
  };
  /**
   * When its name or description was last changed.
   */
  updated_at?: {
    [k: string]: unknown;
  };
}
/**
 * The parts of an upload.
 */
export interface AttachmentUpload {
  /**
   * What it shows. Comes before the file.
   */
  description?: string | null;
  /**
   * The file, with its name and media type; the last part.
   */
  file: string;
}
/**
 * Something that happened to a bulk job.
 */
export interface BulkEvent {
  /**
   * Event identifier; the same in every delivery of it.
   */
  id: string;
  /**
   * What happened.
   */
  type: 'bulk.completed';
  /**
   * When it happened.
   */
  timestamp: string;
  /**
   * Number of the event among those of its object: deliveries can overtake each other, numbers do not.
   */
  sequence: number;
  /**
   * What it happened to.
   */
  object_type: 'bulk';
  /**
   * The object it happened to.
   */
  object_id: string;
  /**
   * Whose data it is about; null for an object that is nobody’s.
   */
  patient_id: string | null;
  /**
   * The object as the change left it. Null when it was deleted, when its patient has been, when the key may not read it, where only identifiers were asked for, and when it was written before this version, which has another shape for it.
   */
  data: Job | null;
}
/**
 * Work that outlives the request that asked for it.
 */
export interface Job {
  /**
   * Job identifier.
   */
  id: string;
  /**
   * What is done.
   */
  kind: string;
  /**
   * Where the job stands.
   */
  state: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled' | 'expired';
  progress: JobProgress;
  error: ErrorBody | null;
  /**
   * When the job was asked for.
   */
  created_at: string;
  /**
   * When work on it began; null before that.
   */
  started_at: string | null;
  /**
   * When it ended; null before that.
   */
  finished_at: string | null;
  /**
   * When its result is erased; null before it has ended.
   */
  expires_at: string | null;
  links: JobLinks;
}
/**
 * How far a job has come.
 */
export interface JobProgress {
  /**
   * Parts that are done.
   */
  done: number;
  /**
   * Parts in all; null while that is not known.
   */
  total: number | null;
}
/**
 * Paths of the job’s operations, below the version segment.
 */
export interface JobLinks {
  /**
   * The job.
   */
  self: string;
  /**
   * What came out; null while there is nothing to read.
   */
  result: string | null;
  /**
   * Post there to cancel; null once the job has ended.
   */
  cancel: string | null;
}
/**
 * What is known of text that is part of the picture.
 */
export interface BurnedInText {
  /**
   * Whether the picture may show text, which can tell who the patient is. De-identification does not touch it. False does not mean that there is none.
   */
  suspected: boolean;
  /**
   * What the file says of itself; null where it says nothing.
   */
  declared: 'yes' | 'no' | null;
  /**
   * Lines that look like print, in the first frame.
   */
  text_lines: number;
  /**
   * Why it is suspected: the file says so, its device writes into pictures, print was found.
   */
  reasons: ('tag' | 'modality' | 'text_found')[];
}
/**
 * How a candidate was understood.
 */
export interface Candidate {
  /**
   * Position in the request.
   */
  index: number;
  /**
   * The candidate as it was sent.
   */
  text: string;
  /**
   * Whether it means one condition, several, or none that is known.
   */
  status: 'resolved' | 'ambiguous' | 'unknown';
  /**
   * What it means. An ambiguous one stands for all of them, and all are compared.
   */
  conditions: ConditionReference[];
  /**
   * For an unknown one, the conditions whose names are nearest.
   */
  suggestions: ConditionReference[];
}
/**
 * A condition by its id.
 */
export interface ConditionReference {
  /**
   * Condition in the knowledge base.
   */
  condition_id: string;
  /**
   * Name of the condition.
   */
  name: string;
}
/**
 * One entry of the list that was checked.
 */
export interface CheckedMedication {
  /**
   * Whether it was sent or taken from the records.
   */
  origin: 'request' | 'record';
  /**
   * The record it was taken from, or that says the same as what was sent.
   */
  record_id: string | null;
  resolution: ResolvedMedication;
}
/**
 * How it was understood.
 */
export interface ResolvedMedication {
  /**
   * The name as it was sent or recorded.
   */
  name: string | null;
  /**
   * The code as it was sent or recorded.
   */
  code: MedicationCode | null;
  /**
   * Whether it was identified; pairs with anything else are `unknown`.
   */
  status: 'resolved' | 'ambiguous' | 'unresolved';
  /**
   * How it was identified; `spelling` means that a misspelling was assumed.
   */
  match: 'code' | 'name' | 'synonym' | 'brand' | 'salt' | 'combination' | 'spelling' | null;
  /**
   * Its active substances.
   */
  substances: MedicationSubstance[];
  /**
   * What could be meant.
   *
   * @maxItems 5
   */
  suggestions:
    | []
    | [MedicationSuggestion]
    | [MedicationSuggestion, MedicationSuggestion]
    | [MedicationSuggestion, MedicationSuggestion, MedicationSuggestion]
    | [MedicationSuggestion, MedicationSuggestion, MedicationSuggestion, MedicationSuggestion]
    | [MedicationSuggestion, MedicationSuggestion, MedicationSuggestion, MedicationSuggestion, MedicationSuggestion];
  /**
   * How it is taken, as understood.
   */
  route: string | null;
}
/**
 * A code of a medication by ATC or RxNorm.
 */
export interface MedicationCode {
  /**
   * `atc`, `rxnorm`, or the address of either as HL7 FHIR gives it.
   */
  system: string;
  /**
   * The code.
   */
  code: string;
}
/**
 * An active substance.
 */
export interface MedicationSubstance {
  /**
   * Substance in the knowledge base.
   */
  id: string;
  /**
   * International nonproprietary name.
   */
  name: string;
  /**
   * ATC codes.
   */
  atc: string[];
}
/**
 * A medication that a name could mean.
 */
export interface MedicationSuggestion {
  /**
   * Substance or combination in the knowledge base.
   */
  id: string;
  /**
   * Its name.
   */
  name: string;
  /**
   * The known name, synonym or brand that comes near.
   */
  matched: string;
  /**
   * Slips of spelling between what was sent and that name.
   */
  distance: number;
}
/**
 * A diagnosis that a clinician made.
 */
export interface ClinicianDiagnosis {
  /**
   * The diagnosis in words.
   */
  name: string;
  /**
   * The diagnosis as a code.
   */
  code: Coding1 | null;
}
/**
 * A code of a published code system.
 */
export interface Coding1 {
  /**
   * Address of the code system, as HL7 FHIR gives it.
   */
  system: string;
  /**
   * The code. Codes of LOINC, SNOMED CT, ICD-10, ATC and RxNorm are checked for their form.
   */
  code: string;
  /**
   * What the code means, in words.
   */
  display: string | null;
}
/**
 * A diagnosis that a clinician made.
 */
export interface ClinicianDiagnosisCreate {
  /**
   * The diagnosis in words.
   */
  name: string;
  /**
   * The diagnosis as a code.
   */
  code?: CodingCreate1 | null;
}
/**
 * A code of a published code system.
 */
export interface CodingCreate1 {
  /**
   * Address of the code system, as HL7 FHIR gives it.
   */
  system: string;
  /**
   * The code. Codes of LOINC, SNOMED CT, ICD-10, ATC and RxNorm are checked for their form.
   */
  code: string;
  /**
   * What the code means, in words.
   */
  display?: string | null;
}
/**
 * A code of a published code system.
 */
export interface CodingPatch1 {
  /**
   * Address of the code system, as HL7 FHIR gives it.
   */
  system?: string;
  /**
   * The code. Codes of LOINC, SNOMED CT, ICD-10, ATC and RxNorm are checked for their form.
   */
  code?: string;
  /**
   * What the code means, in words.
   */
  display?: string | null;
}
/**
 * A saved group of patients. It is defined by criteria and worked out anew for each answer.
 */
export interface Cohort {
  /**
   * Cohort identifier.
   */
  id: string;
  /**
   * Name.
   */
  name: string;
  /**
   * What the cohort is for.
   */
  description: string | null;
  /**
   * What every patient of the cohort meets: all of these, at most ten with those inside `any_of`.
   *
   * @minItems 1
   * @maxItems 8
   */
  criteria:
    | [CohortCriterion]
    | [CohortCriterion, CohortCriterion]
    | [CohortCriterion, CohortCriterion, CohortCriterion]
    | [CohortCriterion, CohortCriterion, CohortCriterion, CohortCriterion]
    | [CohortCriterion, CohortCriterion, CohortCriterion, CohortCriterion, CohortCriterion]
    | [CohortCriterion, CohortCriterion, CohortCriterion, CohortCriterion, CohortCriterion, CohortCriterion]
    | [
        CohortCriterion,
        CohortCriterion,
        CohortCriterion,
        CohortCriterion,
        CohortCriterion,
        CohortCriterion,
        CohortCriterion
      ]
    | [
        CohortCriterion,
        CohortCriterion,
        CohortCriterion,
        CohortCriterion,
        CohortCriterion,
        CohortCriterion,
        CohortCriterion,
        CohortCriterion
      ];
  /**
   * When the cohort was created.
   */
  created_at: string;
  /**
   * When the cohort was last changed.
   */
  updated_at: string;
}
/**
 * Cohorts side by side.
 */
export interface CohortComparison {
  /**
   * The cohorts, in the order asked for.
   *
   * @maxItems 4
   */
  cohorts:
    | []
    | [ComparedCohort]
    | [ComparedCohort, ComparedCohort]
    | [ComparedCohort, ComparedCohort, ComparedCohort]
    | [ComparedCohort, ComparedCohort, ComparedCohort, ComparedCohort];
  /**
   * Each pair of them.
   *
   * @maxItems 6
   */
  overlaps:
    | []
    | [CohortOverlap]
    | [CohortOverlap, CohortOverlap]
    | [CohortOverlap, CohortOverlap, CohortOverlap]
    | [CohortOverlap, CohortOverlap, CohortOverlap, CohortOverlap]
    | [CohortOverlap, CohortOverlap, CohortOverlap, CohortOverlap, CohortOverlap]
    | [CohortOverlap, CohortOverlap, CohortOverlap, CohortOverlap, CohortOverlap, CohortOverlap];
  /**
   * Day the answer speaks of, UTC.
   */
  as_of: string;
  /**
   * Time zone in which days and months begin.
   */
  time_zone: 'UTC';
  disclosure_control: DisclosureControl;
}
/**
 * One cohort of a comparison.
 */
export interface ComparedCohort {
  /**
   * The cohort.
   */
  cohort_id: string;
  /**
   * Its name.
   */
  name: string;
  population: PopulationSummary;
  risk: RiskStratification;
}
/**
 * The patients of an account or a cohort by age band, sex and condition.
 */
export interface PopulationSummary {
  /**
   * The cohort it is limited to; null for all patients of the account.
   */
  cohort_id: string | null;
  /**
   * All people. Rounded; null when suppressed.
   */
  people: number | null;
  /**
   * By age band, youngest first.
   *
   * @maxItems 10
   */
  by_age_band:
    | []
    | [AgeBandCount]
    | [AgeBandCount, AgeBandCount]
    | [AgeBandCount, AgeBandCount, AgeBandCount]
    | [AgeBandCount, AgeBandCount, AgeBandCount, AgeBandCount]
    | [AgeBandCount, AgeBandCount, AgeBandCount, AgeBandCount, AgeBandCount]
    | [AgeBandCount, AgeBandCount, AgeBandCount, AgeBandCount, AgeBandCount, AgeBandCount]
    | [AgeBandCount, AgeBandCount, AgeBandCount, AgeBandCount, AgeBandCount, AgeBandCount, AgeBandCount]
    | [AgeBandCount, AgeBandCount, AgeBandCount, AgeBandCount, AgeBandCount, AgeBandCount, AgeBandCount, AgeBandCount]
    | [
        AgeBandCount,
        AgeBandCount,
        AgeBandCount,
        AgeBandCount,
        AgeBandCount,
        AgeBandCount,
        AgeBandCount,
        AgeBandCount,
        AgeBandCount
      ]
    | [
        AgeBandCount,
        AgeBandCount,
        AgeBandCount,
        AgeBandCount,
        AgeBandCount,
        AgeBandCount,
        AgeBandCount,
        AgeBandCount,
        AgeBandCount,
        AgeBandCount
      ];
  /**
   * By sex.
   *
   * @maxItems 4
   */
  by_sex:
    [] | [SexCount] | [SexCount, SexCount] | [SexCount, SexCount, SexCount] | [SexCount, SexCount, SexCount, SexCount];
  /**
   * By age band and sex.
   *
   * @maxItems 40
   */
  groups: PopulationGroup[];
  /**
   * Active conditions, most common first.
   *
   * @maxItems 100
   */
  conditions: ConditionCount[];
  /**
   * Day the answer speaks of, UTC.
   */
  as_of: string;
  /**
   * Time zone in which days and months begin.
   */
  time_zone: 'UTC';
  disclosure_control: DisclosureControl;
}
/**
 * People of one recorded sex.
 */
export interface SexCount {
  /**
   * Recorded sex; `unknown` also where none is recorded.
   */
  sex: 'female' | 'male' | 'other' | 'unknown';
  /**
   * People of the sex. Rounded; null when suppressed.
   */
  people: number | null;
}
/**
 * People of one age band and sex.
 */
export interface PopulationGroup {
  /**
   * Years of age reached in the calendar year of `as_of`.
   */
  age_band: '0-9' | '10-19' | '20-29' | '30-39' | '40-49' | '50-59' | '60-69' | '70-79' | '80-89' | '90+';
  /**
   * Recorded sex; `unknown` also where none is recorded.
   */
  sex: 'female' | 'male' | 'other' | 'unknown';
  /**
   * People in the group. Rounded; null when suppressed.
   */
  people: number | null;
}
/**
 * How many people have a condition.
 */
export interface ConditionCount {
  /**
   * Address of the code system.
   */
  system: string;
  /**
   * Category of ICD-10: three characters.
   */
  code: string;
  /**
   * What the records call it most often.
   */
  display: string;
  /**
   * People in whom it is active. Rounded; null when suppressed.
   */
  people: number | null;
  /**
   * Part of all people of the summary, from 0 to 1. Worked out from the rounded numbers; null when one of them is suppressed.
   */
  share: number | null;
  /**
   * The same by age band, youngest first.
   *
   * @maxItems 10
   */
  by_age_band:
    | []
    | [AgeBandCount]
    | [AgeBandCount, AgeBandCount]
    | [AgeBandCount, AgeBandCount, AgeBandCount]
    | [AgeBandCount, AgeBandCount, AgeBandCount, AgeBandCount]
    | [AgeBandCount, AgeBandCount, AgeBandCount, AgeBandCount, AgeBandCount]
    | [AgeBandCount, AgeBandCount, AgeBandCount, AgeBandCount, AgeBandCount, AgeBandCount]
    | [AgeBandCount, AgeBandCount, AgeBandCount, AgeBandCount, AgeBandCount, AgeBandCount, AgeBandCount]
    | [AgeBandCount, AgeBandCount, AgeBandCount, AgeBandCount, AgeBandCount, AgeBandCount, AgeBandCount, AgeBandCount]
    | [
        AgeBandCount,
        AgeBandCount,
        AgeBandCount,
        AgeBandCount,
        AgeBandCount,
        AgeBandCount,
        AgeBandCount,
        AgeBandCount,
        AgeBandCount
      ]
    | [
        AgeBandCount,
        AgeBandCount,
        AgeBandCount,
        AgeBandCount,
        AgeBandCount,
        AgeBandCount,
        AgeBandCount,
        AgeBandCount,
        AgeBandCount,
        AgeBandCount
      ];
  /**
   * The same by sex.
   *
   * @maxItems 4
   */
  by_sex:
    [] | [SexCount] | [SexCount, SexCount] | [SexCount, SexCount, SexCount] | [SexCount, SexCount, SexCount, SexCount];
}
/**
 * How the numbers of an answer are kept from telling of single people.
 */
export interface DisclosureControl {
  /**
   * Name of the method.
   */
  method: 'cumulative_rounding';
  /**
   * Groups of fewer people than this are never shown.
   */
  suppressed_below: number;
  /**
   * Every number of people is a multiple of this.
   */
  rounded_to: number;
  /**
   * The smallest number of people that is ever shown.
   */
  shown_from: number;
  /**
   * What that means for reading the numbers.
   */
  explanation: string;
}
/**
 * Patients by a published score of risk.
 */
export interface RiskStratification {
  /**
   * The cohort it is limited to; null for all patients of the account.
   */
  cohort_id: string | null;
  /**
   * The score.
   */
  score: 'charlson_comorbidity_index';
  /**
   * How the score is worked out from the records.
   */
  definition: string;
  /**
   * Where the score was published.
   */
  sources: AnalyticsSource[];
  /**
   * All people. Rounded; null when suppressed.
   */
  people: number | null;
  /**
   * Ranges of the score, lowest first.
   */
  groups: RiskGroup[];
  /**
   * The disease groups that the score counts.
   */
  components: RiskComponent[];
  /**
   * Day the answer speaks of, UTC.
   */
  as_of: string;
  /**
   * Time zone in which days and months begin.
   */
  time_zone: 'UTC';
  disclosure_control: DisclosureControl;
}
/**
 * People whose risk score lies in one range.
 */
export interface RiskGroup {
  /**
   * Range of the score.
   */
  group: string;
  /**
   * Lowest score of the group.
   */
  score_min: number;
  /**
   * Highest score of the group; null when it has no upper end.
   */
  score_max: number | null;
  /**
   * People with such a score. Rounded; null when suppressed.
   */
  people: number | null;
  /**
   * Part of all people, from 0 to 1. Worked out from the rounded numbers; null when one of them is suppressed.
   */
  share: number | null;
  /**
   * The same by age band, youngest first.
   *
   * @maxItems 10
   */
  by_age_band:
    | []
    | [AgeBandCount]
    | [AgeBandCount, AgeBandCount]
    | [AgeBandCount, AgeBandCount, AgeBandCount]
    | [AgeBandCount, AgeBandCount, AgeBandCount, AgeBandCount]
    | [AgeBandCount, AgeBandCount, AgeBandCount, AgeBandCount, AgeBandCount]
    | [AgeBandCount, AgeBandCount, AgeBandCount, AgeBandCount, AgeBandCount, AgeBandCount]
    | [AgeBandCount, AgeBandCount, AgeBandCount, AgeBandCount, AgeBandCount, AgeBandCount, AgeBandCount]
    | [AgeBandCount, AgeBandCount, AgeBandCount, AgeBandCount, AgeBandCount, AgeBandCount, AgeBandCount, AgeBandCount]
    | [
        AgeBandCount,
        AgeBandCount,
        AgeBandCount,
        AgeBandCount,
        AgeBandCount,
        AgeBandCount,
        AgeBandCount,
        AgeBandCount,
        AgeBandCount
      ]
    | [
        AgeBandCount,
        AgeBandCount,
        AgeBandCount,
        AgeBandCount,
        AgeBandCount,
        AgeBandCount,
        AgeBandCount,
        AgeBandCount,
        AgeBandCount,
        AgeBandCount
      ];
}
/**
 * A disease group that a risk score counts.
 */
export interface RiskComponent {
  /**
   * Name of the disease group.
   */
  id: string;
  /**
   * The disease group in words.
   */
  title: string;
  /**
   * Points it gives.
   */
  weight: number;
  /**
   * People in whom it counts. Rounded; null when suppressed.
   */
  people: number | null;
}
/**
 * How many people two cohorts share.
 */
export interface CohortOverlap {
  /**
   * The two cohorts.
   *
   * @minItems 2
   * @maxItems 2
   */
  cohort_ids: [string, string];
  /**
   * People in both. Rounded; null when suppressed.
   */
  people: number | null;
}
/**
 * Which cohorts to compare.
 */
export interface CohortComparisonRequest {
  /**
   * Cohorts to set side by side.
   *
   * @minItems 2
   * @maxItems 4
   */
  cohort_ids: [string, string] | [string, string, string] | [string, string, string, string];
}
/**
 * A saved group of patients. It is defined by criteria and worked out anew for each answer.
 */
export interface CohortCreate {
  /**
   * Cohort identifier.
   */
  id?: {
    [k: string]: unknown;
  };
  /**
   * Name.
   */
  name: string;
  /**
   * What the cohort is for.
   */
  description?: string | null;
  /**
   * What every patient of the cohort meets: all of these, at most ten with those inside `any_of`.
   *
   * @minItems 1
   * @maxItems 8
   */
  criteria:
    | [CohortCriterionCreate]
    | [CohortCriterionCreate, CohortCriterionCreate]
    | [CohortCriterionCreate, CohortCriterionCreate, CohortCriterionCreate]
    | [CohortCriterionCreate, CohortCriterionCreate, CohortCriterionCreate, CohortCriterionCreate]
    | [
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate
      ]
    | [
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate
      ]
    | [
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate
      ]
    | [
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate
      ];
  /**
   * When the cohort was created.
   */
  created_at?: {
    [k: string]: unknown;
  };
  /**
   * When the cohort was last changed.
   */
  updated_at?: {
    [k: string]: unknown;
  };
}
/**
 * One page of a list.
 */
export interface CohortPage {
  /**
   * The entries of this page, in the order asked for.
   *
   * @maxItems 100
   */
  items: Cohort[];
  /**
   * Send it as `cursor` to get the next page; null on the last page.
   */
  next_cursor: string | null;
  /**
   * Whether entries follow this page.
   */
  has_more: boolean;
  /**
   * Entries in the whole list; only when `include_total=true` was asked.
   */
  total?: number;
  minItems?: 0;
}
/**
 * A saved group of patients. It is defined by criteria and worked out anew for each answer.
 */
export interface CohortPatch {
  /**
   * Cohort identifier.
   */
  id?: {
    [k: string]: unknown;
  };
  /**
   * Name.
   */
  name?: string;
  /**
   * What the cohort is for.
   */
  description?: string | null;
  /**
   * What every patient of the cohort meets: all of these, at most ten with those inside `any_of`.
   *
   * @minItems 1
   * @maxItems 8
   */
  criteria?:
    | [CohortCriterionCreate]
    | [CohortCriterionCreate, CohortCriterionCreate]
    | [CohortCriterionCreate, CohortCriterionCreate, CohortCriterionCreate]
    | [CohortCriterionCreate, CohortCriterionCreate, CohortCriterionCreate, CohortCriterionCreate]
    | [
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate
      ]
    | [
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate
      ]
    | [
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate
      ]
    | [
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate
      ];
  /**
   * When the cohort was created.
   */
  created_at?: {
    [k: string]: unknown;
  };
  /**
   * When the cohort was last changed.
   */
  updated_at?: {
    [k: string]: unknown;
  };
}
/**
 * A saved group of patients. It is defined by criteria and worked out anew for each answer.
 */
export interface CohortReplace {
  /**
   * Cohort identifier.
   */
  id?: {
    [k: string]: unknown;
  };
  /**
   * Name.
   */
  name: string;
  /**
   * What the cohort is for.
   */
  description?: string | null;
  /**
   * What every patient of the cohort meets: all of these, at most ten with those inside `any_of`.
   *
   * @minItems 1
   * @maxItems 8
   */
  criteria:
    | [CohortCriterionCreate]
    | [CohortCriterionCreate, CohortCriterionCreate]
    | [CohortCriterionCreate, CohortCriterionCreate, CohortCriterionCreate]
    | [CohortCriterionCreate, CohortCriterionCreate, CohortCriterionCreate, CohortCriterionCreate]
    | [
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate
      ]
    | [
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate
      ]
    | [
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate
      ]
    | [
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate,
        CohortCriterionCreate
      ];
  /**
   * When the cohort was created.
   */
  created_at?: {
    [k: string]: unknown;
  };
  /**
   * When the cohort was last changed.
   */
  updated_at?: {
    [k: string]: unknown;
  };
}
/**
 * What one finding does to the distance of two conditions.
 */
export interface ComparedFinding {
  /**
   * Finding in the knowledge base.
   */
  finding_id: string;
  /**
   * Name of the finding.
   */
  name: string;
  /**
   * What is known of it.
   */
  state: 'present' | 'absent' | 'not_mentioned';
  /**
   * By how much it raises the higher condition above the lower: a base-10 logarithm; negative speaks for the lower.
   */
  contribution: number;
  /**
   * Its weight for the higher condition alone.
   */
  weight_for_higher: number;
  /**
   * Its weight for the lower condition alone.
   */
  weight_for_lower: number;
}
/**
 * Why one condition stands above the next.
 */
export interface Comparison {
  higher: ConditionReference;
  lower: ConditionReference;
  /**
   * How far the higher stands above: a base-10 logarithm, the sum of what follows. At most 1 is close, 2 is far.
   */
  difference: number;
  /**
   * The part that comes from how common both are at this age and sex, before any finding.
   */
  how_common: number;
  /**
   * The findings, the heaviest first.
   */
  findings: ComparedFinding[];
  /**
   * The part of the findings that are too light to be listed.
   */
  other_findings: number;
  /**
   * The same in words.
   */
  text: string;
}
/**
 * A disease, an injury or a problem.
 */
export interface ConditionRecord {
  /**
   * Record identifier.
   */
  id: string;
  /**
   * The patient it is about.
   */
  patient_id: string;
  /**
   * Type of the record; it never changes.
   */
  type: 'condition';
  /**
   * State. `entered_in_error` says that it should never have been there.
   */
  status: 'active' | 'recurrence' | 'relapse' | 'inactive' | 'remission' | 'resolved' | 'entered_in_error';
  code: Coding2;
  /**
   * When it began, was measured, was done or was written; null when not known.
   */
  effective_at: string | null;
  /**
   * Who stated it.
   */
  author: string | null;
  /**
   * Day it began.
   */
  onset: string | null;
  /**
   * Day it ended.
   */
  abatement: string | null;
  /**
   * How sure it is.
   */
  verification: 'unconfirmed' | 'provisional' | 'differential' | 'confirmed' | 'refuted' | null;
  /**
   * How severe it is.
   */
  severity: 'mild' | 'moderate' | 'severe' | null;
  /**
   * When the record was created.
   */
  created_at: string;
  /**
   * When the record was last changed.
   */
  updated_at: string;
}
/**
 * A code of a published code system.
 */
export interface Coding2 {
  /**
   * Address of the code system, as HL7 FHIR gives it.
   */
  system: string;
  /**
   * The code. Codes of LOINC, SNOMED CT, ICD-10, ATC and RxNorm are checked for their form.
   */
  code: string;
  /**
   * What the code means, in words.
   */
  display: string | null;
}
/**
 * A disease, an injury or a problem.
 */
export interface ConditionRecordCreate {
  /**
   * Record identifier.
   */
  id?: {
    [k: string]: unknown;
  };
  /**
   * The patient it is about.
   */
  patient_id?: {
    [k: string]: unknown;
  };
  /**
   * Type of the record; it never changes.
   */
  type: 'condition';
  /**
   * State. `entered_in_error` says that it should never have been there.
   */
  status: 'active' | 'recurrence' | 'relapse' | 'inactive' | 'remission' | 'resolved' | 'entered_in_error';
  code: CodingCreate2;
  /**
   * When it began, was measured, was done or was written; null when not known.
   */
  effective_at?: string | null;
  /**
   * Who stated it.
   */
  author?: string | null;
  /**
   * Day it began.
   */
  onset?: string | null;
  /**
   * Day it ended.
   */
  abatement?: string | null;
  /**
   * How sure it is.
   */
  verification?: 'unconfirmed' | 'provisional' | 'differential' | 'confirmed' | 'refuted' | null;
  /**
   * How severe it is.
   */
  severity?: 'mild' | 'moderate' | 'severe' | null;
  /**
   * When the record was created.
   */
  created_at?: {
    [k: string]: unknown;
  };
  /**
   * When the record was last changed.
   */
  updated_at?: {
    [k: string]: unknown;
  };
}
/**
 * A code of a published code system.
 */
export interface CodingCreate2 {
  /**
   * Address of the code system, as HL7 FHIR gives it.
   */
  system: string;
  /**
   * The code. Codes of LOINC, SNOMED CT, ICD-10, ATC and RxNorm are checked for their form.
   */
  code: string;
  /**
   * What the code means, in words.
   */
  display?: string | null;
}
/**
 * A disease, an injury or a problem.
 */
export interface ConditionRecordPatch {
  /**
   * Record identifier.
   */
  id?: {
    [k: string]: unknown;
  };
  /**
   * The patient it is about.
   */
  patient_id?: {
    [k: string]: unknown;
  };
  /**
   * Type of the record; it never changes.
   */
  type?: 'condition';
  /**
   * State. `entered_in_error` says that it should never have been there.
   */
  status?: 'active' | 'recurrence' | 'relapse' | 'inactive' | 'remission' | 'resolved' | 'entered_in_error';
  code?: CodingPatch2;
  /**
   * When it began, was measured, was done or was written; null when not known.
   */
  effective_at?: string | null;
  /**
   * Who stated it.
   */
  author?: string | null;
  /**
   * Day it began.
   */
  onset?: string | null;
  /**
   * Day it ended.
   */
  abatement?: string | null;
  /**
   * How sure it is.
   */
  verification?: 'unconfirmed' | 'provisional' | 'differential' | 'confirmed' | 'refuted' | null;
  /**
   * How severe it is.
   */
  severity?: 'mild' | 'moderate' | 'severe' | null;
  /**
   * When the record was created.
   */
  created_at?: {
    [k: string]: unknown;
  };
  /**
   * When the record was last changed.
   */
  updated_at?: {
    [k: string]: unknown;
  };
}
/**
 * A code of a published code system.
 */
export interface CodingPatch2 {
  /**
   * Address of the code system, as HL7 FHIR gives it.
   */
  system?: string;
  /**
   * The code. Codes of LOINC, SNOMED CT, ICD-10, ATC and RxNorm are checked for their form.
   */
  code?: string;
  /**
   * What the code means, in words.
   */
  display?: string | null;
}
/**
 * A patient that was deleted and can be restored.
 */
export interface DeletedPatient {
  patient: Patient;
  /**
   * When it was deleted.
   */
  deleted_at: string;
  /**
   * Identifier of the API key that deleted it; null when that is not known.
   */
  deleted_by: string | null;
}
/**
 * A person whose care the account looks after.
 */
export interface Patient {
  /**
   * Patient identifier.
   */
  id: string;
  /**
   * Patient name.
   */
  name: string;
  /**
   * Date of birth, YYYY-MM-DD; not in the future.
   */
  dob: string;
  /**
   * Sex recorded for clinical use.
   */
  sex: 'female' | 'male' | 'other' | 'unknown' | null;
  /**
   * Gender identity in the patient’s own words.
   */
  gender_identity: string | null;
  /**
   * How to reach the patient.
   */
  contact_info: {
    /**
     * Email address.
     */
    email: string | null;
    /**
     * Telephone number as given.
     */
    phone: string | null;
    /**
     * How the patient wishes to be reached.
     */
    preferred_method: 'email' | 'phone' | 'sms' | 'mail' | 'none' | null;
  };
  /**
   * When the record was created.
   */
  created_at: string;
  /**
   * When the record was last changed.
   */
  updated_at: string;
}
/**
 * One page of a list.
 */
export interface DeletedPatientPage {
  /**
   * The entries of this page, in the order asked for.
   *
   * @maxItems 100
   */
  items: DeletedPatient[];
  /**
   * Send it as `cursor` to get the next page; null on the last page.
   */
  next_cursor: string | null;
  /**
   * Whether entries follow this page.
   */
  has_more: boolean;
  /**
   * Entries in the whole list; only when `include_total=true` was asked.
   */
  total?: number;
  minItems?: 0;
}
/**
 * Analyzes symptoms and vital signs.
 */
export interface DiagnosticAnalyzeOperation {
  /**
   * What to do.
   */
  action: 'analyze';
  data: AnalysisRequest;
}
/**
 * What became of a bulk request of diagnostics.
 */
export interface DiagnosticBulk {
  /**
   * Whether the operations stand and fall together.
   */
  mode: 'independent' | 'atomic';
  /**
   * Operations that were sent.
   */
  total: number;
  /**
   * Operations that are done.
   */
  succeeded: number;
  /**
   * Operations that were refused or failed.
   */
  failed: number;
  /**
   * Operations that were rolled back, or are still to be done.
   */
  not_done: number;
  /**
   * The job that carries the operations out; null where they were few (100) and are done.
   */
  job: Job | null;
  /**
   * What became of each operation, in their order; empty where a job carries them out.
   */
  results: DiagnosticBulkResult[];
}
/**
 * What became of one operation on a diagnostic record.
 */
export interface DiagnosticRecordBulkResult {
  /**
   * Tells results apart.
   */
  kind: 'diagnostic_record';
  /**
   * Place of the operation in what was sent, from 0.
   */
  index: number;
  /**
   * What was asked; null where that could not be read.
   */
  action: 'create' | 'update' | 'delete' | null;
  /**
   * What became of it. refused: it was not valid as it was sent, and its pointers are in the names of the version it was sent in. failed: it could not be done. not_done: its turn did not come, or what it did was rolled back.
   */
  status: 'succeeded' | 'refused' | 'failed' | 'not_done';
  /**
   * The record; null where there is none.
   */
  id: string | null;
  /**
   * The record as it was written; null after a deletion, and once the patient has been deleted.
   */
  data: DiagnosticRecord | null;
  /**
   * Why it was refused or failed; pointers lead into what was sent: `/operations/<index>/…`.
   */
  error: ErrorBody | null;
}
/**
 * The result of an analysis that was kept.
 */
export interface DiagnosticRecord {
  /**
   * Identifier of the record and of its result.
   */
  id: string;
  /**
   * The patient it is about; null for an image that nobody has said whom it shows.
   */
  patient_id: string | null;
  /**
   * What it is the result of.
   */
  kind: 'analysis' | 'differential' | 'imaging';
  /**
   * State: `completed` until a clinician has accepted or overridden the result.
   */
  status: 'completed' | 'accepted' | 'overridden';
  /**
   * What the analysis was given; null for an image.
   */
  patientData: ClinicalData | null;
  /**
   * The result. It never changes. Null for an image, from which no ranking and no triage are derived.
   */
  diagnostic_result: DiagnosticResult | null;
  /**
   * What a differential diagnosis has beside; null for an analysis.
   */
  differential: DifferentialDetail | null;
  /**
   * Which image was looked at, and what was seen; null for what is not the result of an image.
   */
  imaging: DiagnosticImaging | null;
  /**
   * What a clinician said of it; null until somebody did.
   */
  feedback: DiagnosticFeedback | null;
  /**
   * A note of the caller.
   */
  note: string | null;
  /**
   * Identifier of the API key that asked for it.
   */
  created_by: string;
  /**
   * When the analysis was made.
   */
  created_at: string;
  /**
   * When it was last changed, as by feedback or a note.
   */
  updated_at: string;
}
/**
 * What a differential diagnosis has beside its ranking.
 */
export interface DifferentialDetail {
  /**
   * How each candidate was understood; empty where none was given.
   */
  candidates: Candidate[];
  /**
   * For each two neighbours of the ranking, why the one stands above the other.
   */
  comparisons: Comparison[];
  /**
   * How undecided it is between the conditions compared: their entropy in bits.
   */
  uncertainty: number;
  /**
   * What would separate them most, by expected information.
   */
  next_steps: NextStep[];
}
/**
 * What to ask, examine or test next.
 */
export interface NextStep {
  /**
   * Finding in the knowledge base.
   */
  finding_id: string;
  /**
   * Name of the finding.
   */
  name: string;
  /**
   * How it is found out.
   */
  kind: 'question' | 'examination' | 'test';
  /**
   * What to ask or do.
   */
  text: string;
  /**
   * By how many bits the answer is expected to narrow down the conditions compared.
   */
  information_gain: number;
  if_present: Outlook;
  if_absent: Outlook;
}
/**
 * What an answer would lead to.
 */
export interface Outlook {
  /**
   * How likely this answer is.
   */
  probability: number;
  /**
   * The likeliest conditions then, in order.
   */
  leading: ConditionReference[];
}
/**
 * Which image was looked at, and what was seen in it.
 */
export interface DiagnosticImaging {
  /**
   * The study that was looked at.
   */
  study_id: string;
  /**
   * The file that was looked at.
   */
  instance_id: string;
  /**
   * The frame that was looked at.
   */
  frame: number;
  analysis: ImagingAnalysis;
  /**
   * Version of the knowledge base that conditions are linked to.
   */
  knowledge_version: string;
}
/**
 * What was seen. It never changes.
 */
export interface ImagingAnalysis {
  /**
   * With `not_analyzable` nothing is said of the body; what was measured of the picture itself is still given.
   */
  outcome: 'analyzed' | 'not_analyzable';
  /**
   * Why it is not analysable; null when it was analysed.
   */
  refusal: ImagingRefusal | null;
  subject: ImagingSubject;
  orientation: ImagingOrientation;
  /**
   * Width in pixels.
   */
  width: number;
  /**
   * Height in pixels.
   */
  height: number;
  /**
   * What was outlined.
   */
  structures: ImagingStructure[];
  /**
   * What was measured.
   */
  measures: ImagingMeasure[];
  /**
   * What is unlike what is expected, surest first. None found does not mean that the patient is well.
   */
  findings: ImagingFinding[];
  /**
   * Everything that was looked for or cannot be judged.
   */
  checks: ImagingCheck[];
  /**
   * What looked at it.
   */
  analyzers: ImagingAnalyzer[];
  /**
   * Within which limits the result is valid.
   */
  limits: string[];
  /**
   * Version of the analysis as a whole.
   */
  model_version: string;
  /**
   * What this result is and is not.
   */
  disclaimer: string;
}
/**
 * Why an image is not analysable.
 */
export interface ImagingRefusal {
  /**
   * Stable code of the reason.
   */
  code:
    | 'too_small'
    | 'blank'
    | 'not_a_radiograph'
    | 'not_recognized'
    | 'no_analyzer'
    | 'unsupported_view'
    | 'quality_too_low';
  /**
   * The reason in words.
   */
  text: string;
}
/**
 * What the image was taken for.
 */
export interface ImagingSubject {
  /**
   * What the image was taken for.
   */
  kind: 'chest_frontal' | 'radiograph' | 'not_recognized';
  /**
   * What says so.
   */
  basis: 'header' | 'pixels' | 'header_and_pixels';
  /**
   * How sure that is; null where only the header says so.
   */
  confidence: ConfidenceScore | null;
  /**
   * What speaks for or against it, in words.
   */
  evidence: string[];
}
/**
 * How the image lies.
 */
export interface ImagingOrientation {
  /**
   * How the stored picture is turned against upright.
   */
  rotation: 'none' | 'clockwise_90' | 'half_turn' | 'counterclockwise_90' | 'cannot_judge';
  /**
   * Whether left and right are exchanged.
   */
  mirrored: 'no' | 'suspected' | 'cannot_judge';
  /**
   * On which side of the stored picture the right of the patient is taken to be.
   */
  patient_right: 'image_left' | 'image_right' | 'image_top' | 'image_bottom' | 'cannot_judge';
  /**
   * What this rests on. Markers on the film are not read.
   */
  text: string;
}
/**
 * A structure that was outlined.
 */
export interface ImagingStructure {
  /**
   * Stable name of the structure.
   */
  code: string;
  /**
   * Name in words.
   */
  name: string;
  /**
   * Side of the patient.
   */
  side: 'right' | 'left' | 'both' | 'midline' | null;
  region: ImagingRegion;
  confidence: ConfidenceScore1;
}
/**
 * A place in the image, in pixels of the image as it is stored.
 */
export interface ImagingRegion {
  /**
   * Upright box around the place, in pixels.
   */
  box: {
    /**
     * Left edge.
     */
    x: number;
    /**
     * Top edge.
     */
    y: number;
    /**
     * Width.
     */
    width: number;
    /**
     * Height.
     */
    height: number;
  };
  /**
   * Outline as [x, y] points in pixels, closed by itself; two points are a line, empty where only the box is known.
   *
   * @maxItems 200
   */
  polygon: [number, number][];
}
/**
 * Confidence with interval and sources of doubt.
 */
export interface ConfidenceScore1 {
  /**
   * Point estimate of the probability that the suggestion is right.
   */
  estimate: number;
  /**
   * Interval around the estimate.
   */
  interval: {
    /**
     * Lower end.
     */
    low: number;
    /**
     * Upper end.
     */
    high: number;
    /**
     * How often the interval is meant to hold the truth.
     */
    level: number;
  };
  /**
   * What the uncertainty comes from, largest first.
   */
  uncertainty: {
    /**
     * What the uncertainty comes from.
     */
    source:
      | 'sparse_findings'
      | 'weak_evidence'
      | 'close_alternatives'
      | 'unrecognized_input'
      | 'missing_vital_signs'
      | 'missing_demographics';
    /**
     * Its share of the whole uncertainty.
     */
    contribution: number;
  }[];
}
/**
 * A number that was measured in the image.
 */
export interface ImagingMeasure {
  /**
   * Stable name of the measure.
   */
  code: string;
  /**
   * Name in words.
   */
  name: string;
  /**
   * The value, in the unit.
   */
  value: number;
  /**
   * UCUM unit. `1` is a ratio, `[pix]` pixels of the image, `mm` only where the spacing of pixels is known.
   */
  unit: string;
  /**
   * Interval around the value; null for a plain count of pixels, which has none.
   */
  interval: {
    /**
     * Lower end.
     */
    low: number;
    /**
     * Upper end.
     */
    high: number;
    /**
     * How often it is meant to hold the truth.
     */
    level: number;
  } | null;
  /**
   * Below this the value is unusual; null where there is no such limit.
   */
  usual_low: number | null;
  /**
   * Above this the value is unusual; null where there is no such limit.
   */
  usual_high: number | null;
  /**
   * The value against the limits; borderline when the interval holds a limit. Null without limits.
   */
  interpretation: 'below' | 'usual' | 'borderline' | 'above' | null;
  /**
   * Side of the patient.
   */
  side: 'right' | 'left' | 'both' | 'midline' | null;
  /**
   * How it was measured, and what it does not say.
   */
  method: string;
  /**
   * Where it was measured, for example the line that was drawn.
   */
  region: ImagingRegion | null;
}
/**
 * An observation: something in the image that is unlike what is expected. Not a diagnosis.
 */
export interface ImagingFinding {
  /**
   * Stable name of the observation; a later analyser may add others.
   */
  code: string;
  /**
   * What it is about.
   */
  category: 'quality' | 'technique' | 'lung' | 'pleura' | 'heart' | 'mediastinum' | 'other';
  /**
   * The observation in a few words.
   */
  name: string;
  /**
   * What was seen, by which numbers, and what it was compared with.
   */
  text: string;
  /**
   * Side of the patient.
   */
  side: 'right' | 'left' | 'both' | 'midline' | null;
  /**
   * Third of the lung field where most of it lies.
   */
  zone: 'upper' | 'mid' | 'lower' | null;
  /**
   * Where; null when it is about the whole image.
   */
  region: ImagingRegion | null;
  confidence: ConfidenceScore2;
  /**
   * What in this image makes it less sure, in words.
   */
  doubts: string[];
  /**
   * The numbers behind it.
   */
  measures: ImagingMeasure[];
  /**
   * Conditions that can look like this, in no order of likelihood.
   */
  conditions: ImagingConditionLink[];
}
/**
 * Confidence with interval and sources of doubt.
 */
export interface ConfidenceScore2 {
  /**
   * Point estimate of the probability that the suggestion is right.
   */
  estimate: number;
  /**
   * Interval around the estimate.
   */
  interval: {
    /**
     * Lower end.
     */
    low: number;
    /**
     * Upper end.
     */
    high: number;
    /**
     * How often the interval is meant to hold the truth.
     */
    level: number;
  };
  /**
   * What the uncertainty comes from, largest first.
   */
  uncertainty: {
    /**
     * What the uncertainty comes from.
     */
    source:
      | 'sparse_findings'
      | 'weak_evidence'
      | 'close_alternatives'
      | 'unrecognized_input'
      | 'missing_vital_signs'
      | 'missing_demographics';
    /**
     * Its share of the whole uncertainty.
     */
    contribution: number;
  }[];
}
/**
 * A condition that can look like this. The observation supports it and does not establish it.
 */
export interface ImagingConditionLink {
  /**
   * Condition in the knowledge base.
   */
  condition_id: string;
  /**
   * Name of the condition.
   */
  name: string;
  /**
   * ICD-10 codes.
   */
  icd10: string[];
  /**
   * What the observation has to do with it, in words.
   */
  relation: string;
}
/**
 * Something that was looked for, and what came of it.
 */
export interface ImagingCheck {
  /**
   * Stable name of what was looked for.
   */
  code: string;
  /**
   * Name in words.
   */
  name: string;
  /**
   * Not found is not the same as absent: see `limits`.
   */
  outcome: 'found' | 'not_found' | 'cannot_judge';
  /**
   * Why it could not be judged; null when it was.
   */
  reason: string | null;
}
/**
 * A method that looked at the image.
 */
export interface ImagingAnalyzer {
  /**
   * Identifier.
   */
  id: string;
  /**
   * Name in words.
   */
  name: string;
  /**
   * Version of the method, or of the model.
   */
  version: string;
  /**
   * What kind of method it is.
   */
  kind: 'image_processing' | 'trained_model';
  /**
   * SHA-256 of the file of a trained model, in hexadecimal; null where there is none.
   */
  sha256: string | null;
}
/**
 * What a clinician says of a result.
 */
export interface DiagnosticFeedback {
  /**
   * Whether the clinician went along with the result or decided otherwise.
   */
  decision: 'accepted' | 'overridden';
  /**
   * For an accepted result, which of its suggestions; the first unless given. For an accepted result of an image, which of the conditions that its findings link to; none unless given.
   */
  condition_id: string | null;
  /**
   * Why; required where the result was overridden.
   */
  reason: string | null;
  /**
   * The clinician’s own diagnosis; required where the result was overridden.
   */
  diagnosis: ClinicianDiagnosis | null;
  /**
   * Identifier of the API key that gave it.
   */
  given_by: string;
  /**
   * When it was given.
   */
  given_at: string;
}
/**
 * Operations of diagnostics.
 */
export interface DiagnosticBulkRequest {
  /**
   * independent: each operation by itself. atomic: all of them or, when one cannot be done, none; at most 1000.
   */
  mode?: 'independent' | 'atomic';
  /**
   * The operations, carried out in this order.
   *
   * @minItems 1
   * @maxItems 10000
   */
  operations: [DiagnosticOperation, ...DiagnosticOperation[]];
}
/**
 * Analyzes, and keeps the result as a diagnostic record.
 */
export interface DiagnosticCreateOperation {
  /**
   * What to do.
   */
  action: 'create';
  data: DiagnosticRequest;
}
/**
 * An analysis whose result is kept.
 */
export interface DiagnosticRequest {
  /**
   * The patient it is about; the patient’s record is looked at as in an analysis.
   */
  patient_id: string;
  patientData: ClinicalData;
  options?: AnalysisOptions;
  /**
   * A note of the caller.
   */
  note?: string | null;
}
/**
 * Changes the note of a diagnostic record: a merge patch.
 */
export interface DiagnosticUpdateOperation {
  /**
   * What to do.
   */
  action: 'update';
  /**
   * The diagnostic record.
   */
  id: string;
  data: DiagnosticRecordPatch;
  /**
   * ETag of the object as it was read: where it has changed since, the operation fails with `conflict`.
   */
  if_match?: string | null;
}
/**
 * The result of an analysis that was kept.
 */
export interface DiagnosticRecordPatch {
  /**
   * Identifier of the record and of its result.
   */
  id?: {
    [k: string]: unknown;
  };
  /**
   * The patient it is about; null for an image that nobody has said whom it shows.
   */
  patient_id?: {
    [k: string]: unknown;
  };
  /**
   * What it is the result of.
   */
  kind?: {
    [k: string]: unknown;
  };
  /**
   * State: `completed` until a clinician has accepted or overridden the result.
   */
  status?: {
    [k: string]: unknown;
  };
  /**
   * What the analysis was given; null for an image.
   */
  patientData?: {
    [k: string]: unknown;
  };
  /**
   * The result. It never changes. Null for an image, from which no ranking and no triage are derived.
   */
  diagnostic_result?: {
    [k: string]: unknown;
  };
  /**
   * What a differential diagnosis has beside; null for an analysis.
   */
  differential?: {
    [k: string]: unknown;
  };
  /**
   * Which image was looked at, and what was seen; null for what is not the result of an image.
   */
  imaging?: {
    [k: string]: unknown;
  };
  /**
   * What a clinician said of it; null until somebody did.
   */
  feedback?: {
    [k: string]: unknown;
  };
  /**
   * A note of the caller.
   */
  note?: string | null;
  /**
   * Identifier of the API key that asked for it.
   */
  created_by?: {
    [k: string]: unknown;
  };
  /**
   * When the analysis was made.
   */
  created_at?: {
    [k: string]: unknown;
  };
  /**
   * When it was last changed, as by feedback or a note.
   */
  updated_at?: {
    [k: string]: unknown;
  };
}
/**
 * Deletes a diagnostic record; it can be restored.
 */
export interface DiagnosticDeleteOperation {
  /**
   * What to do.
   */
  action: 'delete';
  /**
   * The diagnostic record.
   */
  id: string;
  /**
   * ETag of the object as it was read: where it has changed since, the operation fails with `conflict`.
   */
  if_match?: string | null;
}
/**
 * Something that happened to a kept result of an analysis.
 */
export interface DiagnosticEvent {
  /**
   * Event identifier; the same in every delivery of it.
   */
  id: string;
  /**
   * What happened.
   */
  type: 'diagnostic.completed';
  /**
   * When it happened.
   */
  timestamp: string;
  /**
   * Number of the event among those of its object: deliveries can overtake each other, numbers do not.
   */
  sequence: number;
  /**
   * What it happened to.
   */
  object_type: 'diagnostic';
  /**
   * The object it happened to.
   */
  object_id: string;
  /**
   * Whose data it is about; null for an object that is nobody’s.
   */
  patient_id: string | null;
  /**
   * The object as the change left it. Null when it was deleted, when its patient has been, when the key may not read it, where only identifiers were asked for, and when it was written before this version, which has another shape for it.
   */
  data: DiagnosticRecord | null;
}
/**
 * What a clinician says of a result.
 */
export interface DiagnosticFeedbackCreate {
  /**
   * Whether the clinician went along with the result or decided otherwise.
   */
  decision: 'accepted' | 'overridden';
  /**
   * For an accepted result, which of its suggestions; the first unless given. For an accepted result of an image, which of the conditions that its findings link to; none unless given.
   */
  condition_id?: string | null;
  /**
   * Why; required where the result was overridden.
   */
  reason?: string | null;
  /**
   * The clinician’s own diagnosis; required where the result was overridden.
   */
  diagnosis?: ClinicianDiagnosisCreate | null;
  /**
   * Identifier of the API key that gave it.
   */
  given_by?: {
    [k: string]: unknown;
  };
  /**
   * When it was given.
   */
  given_at?: {
    [k: string]: unknown;
  };
}
/**
 * One page of a list.
 */
export interface DiagnosticRecordPage {
  /**
   * The entries of this page, in the order asked for.
   *
   * @maxItems 100
   */
  items: DiagnosticRecord[];
  /**
   * Send it as `cursor` to get the next page; null on the last page.
   */
  next_cursor: string | null;
  /**
   * Whether entries follow this page.
   */
  has_more: boolean;
  /**
   * Entries in the whole list; only when `include_total=true` was asked.
   */
  total?: number;
  minItems?: 0;
}
/**
 * DICOM files, each a part.
 */
export interface DicomInstances {
  /**
   * A DICOM file; every part is one.
   */
  instance: string;
}
/**
 * A differential diagnosis: the candidates ranked and explained. Triage and red flags look at every condition.
 */
export interface Differential {
  diagnostic_result: DiagnosticResult;
  differential: DifferentialDetail;
}
/**
 * What a finding says about which of several conditions it is.
 */
export interface DifferentialFinding {
  finding: KnowledgeItem;
  /**
   * Whether every one of the conditions has it.
   */
  shared: boolean;
  /**
   * How much knowing whether it is present tells on average, all the conditions being equally likely before, in bits.
   */
  information_bits: number;
  /**
   * In the order in which the conditions were asked for.
   */
  likelihoods: {
    /**
     * Condition.
     */
    condition_id: string;
    /**
     * How often the finding is present in it.
     */
    likelihood: number;
    /**
     * How sure that is; null where the rate among all patients stands in.
     */
    certainty: 'high' | 'moderate' | 'low' | null;
  }[];
}
/**
 * Any entry of the knowledge base, in short.
 */
export interface KnowledgeItem {
  /**
   * Identifier among all kinds: the kind, a colon, and the entry’s own.
   */
  entity_id: string;
  /**
   * Kind.
   */
  kind:
    'condition' | 'finding' | 'treatment' | 'medication' | 'guideline' | 'red_flag' | 'medication_class' | 'category';
  /**
   * Identifier of the entry among its kind.
   */
  id: string;
  /**
   * Name.
   */
  name: string;
  /**
   * In a sentence.
   */
  summary: string | null;
  /**
   * Codes.
   */
  codes: KnowledgeCode[];
}
/**
 * A code of a published code system.
 */
export interface KnowledgeCode {
  /**
   * Code system.
   */
  system: 'icd10' | 'atc' | 'rxnorm';
  /**
   * Code.
   */
  code: string;
}
/**
 * A differential as a part of the graph.
 */
export interface DifferentialGraph {
  /**
   * The conditions, in the order asked for.
   */
  conditions: KnowledgeItem[];
  /**
   * Findings and risk factors: those that separate most come first.
   *
   * @maxItems 100
   */
  findings: DifferentialFinding[];
  /**
   * What relates the conditions to the findings and to each other.
   */
  relationships: GraphRelationship[];
  /**
   * Findings that all the conditions have.
   */
  shared_total: number;
  /**
   * Findings that any of the conditions has.
   */
  findings_total: number;
  /**
   * Whether there are more findings than were asked for.
   */
  truncated: boolean;
  /**
   * Version of the knowledge base.
   */
  knowledge_version: string;
  /**
   * What this answer is and is not.
   */
  disclaimer: string;
}
/**
 * How two entities are related.
 */
export interface GraphRelationship {
  /**
   * How the first is related to the second, as a verb between them.
   */
  type:
    | 'has_finding'
    | 'raises'
    | 'treated_by'
    | 'uses'
    | 'contains'
    | 'contraindicated_in'
    | 'interacts_with'
    | 'covers'
    | 'recommends'
    | 'differential_of'
    | 'raised_by'
    | 'is_a'
    | 'in_class'
    | 'in_category';
  /**
   * The first entity.
   */
  from: string;
  /**
   * The second entity.
   */
  to: string;
  /**
   * How often it holds: of a finding in a condition, or how alike two conditions look; null where it is no matter of degree.
   */
  likelihood: number | null;
  /**
   * How sure it is; null where that is not judged.
   */
  certainty: 'high' | 'moderate' | 'low' | 'established' | 'probable' | 'suspected' | 'theoretical' | null;
  /**
   * How bad it is; null where nothing bad is stated.
   */
  severity: 'contraindicated' | 'major' | 'moderate' | 'unknown' | 'minor' | 'none_known' | null;
  /**
   * Why, or what to do; null where the type says it all.
   */
  explanation: string | null;
  /**
   * Whether it was worked out from other statements and is nobody’s own.
   */
  derived: boolean;
  /**
   * Where it was published; empty where it was derived.
   */
  sources: KnowledgeSource[];
}
/**
 * Where a statement was published.
 */
export interface KnowledgeSource {
  /**
   * Identifier of the source.
   */
  id: string;
  /**
   * Title.
   */
  title: string;
  /**
   * Who published it; null where the title says so.
   */
  organisation: string | null;
  /**
   * Year of publication; null for a work that is updated continually.
   */
  year: number | null;
  /**
   * Address.
   */
  url: string | null;
}
/**
 * Which conditions to tell apart.
 */
export interface DifferentialGraphRequest {
  /**
   * Identifiers of conditions.
   *
   * @minItems 2
   * @maxItems 10
   */
  condition_ids:
    | [string, string]
    | [string, string, string]
    | [string, string, string, string]
    | [string, string, string, string, string]
    | [string, string, string, string, string, string]
    | [string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string];
  /**
   * Options.
   */
  options?: {
    /**
     * Most findings answered.
     */
    maxFindings?: number;
  };
}
/**
 * Input of a differential diagnosis.
 */
export interface DifferentialRequest {
  /**
   * A patient: age and sex are taken from there unless they are sent, active conditions count as history, and treatments are checked against allergies, conditions, pregnancy, kidney function and medicines on record. Needs the scope patients:read.
   */
  patient_id?: string;
  patientData: ClinicalData;
  /**
   * The conditions to compare, each by id, name, synonym or ICD-10 code. Left out or empty: the likeliest of all.
   *
   * @maxItems 50
   */
  candidates?: string[];
  options?: AnalysisOptions;
}
/**
 * The same substance or class twice.
 */
export interface DuplicateTherapy {
  /**
   * What they share.
   */
  kind: 'substance' | 'class';
  /**
   * Name of the substance or class.
   */
  of: string;
  /**
   * The medications that share it.
   */
  medications: MedicationReference[];
  /**
   * How bad it is; `unknown` is never safe.
   */
  severity: 'contraindicated' | 'major' | 'moderate' | 'unknown' | 'minor' | 'none_known';
  /**
   * How sure the sources are.
   */
  certainty: 'established' | 'probable' | 'suspected' | 'theoretical';
  /**
   * How it comes about.
   */
  mechanism: string;
  /**
   * What can happen.
   */
  effect: string;
  /**
   * What to do.
   */
  management: string;
  /**
   * Entries of `sources`.
   */
  source_ids: string[];
  /**
   * Whether it is worth stopping the prescriber.
   */
  interruptive: boolean;
  /**
   * Rules that fired, heaviest first.
   */
  rule_ids: string[];
}
/**
 * One entry of the list in a finding.
 */
export interface MedicationReference {
  /**
   * Position in `medications` of the answer.
   */
  index: number;
  /**
   * Its name.
   */
  name: string;
  /**
   * The substance that drives the finding; null when not known.
   */
  substance: string | null;
}
/**
 * Answer to a request that failed.
 */
export interface ErrorEnvelope {
  /**
   * Unique identifier of the request.
   */
  requestId: string;
  /**
   * When the answer was made.
   */
  timestamp: string;
  meta: ResponseMeta;
  error: ErrorBody;
}
/**
 * What every answer says of itself.
 */
export interface ResponseMeta {
  /**
   * Processing time in milliseconds.
   */
  processingTimeMs: number;
  /**
   * Version of the API, MAJOR.MINOR.PATCH.
   */
  version: string;
}
/**
 * Something that happened to a patient.
 */
export interface PatientEvent {
  /**
   * Event identifier; the same in every delivery of it.
   */
  id: string;
  /**
   * What happened.
   */
  type: 'patient.created' | 'patient.updated' | 'patient.deleted' | 'patient.restored';
  /**
   * When it happened.
   */
  timestamp: string;
  /**
   * Number of the event among those of its object: deliveries can overtake each other, numbers do not.
   */
  sequence: number;
  /**
   * What it happened to.
   */
  object_type: 'patient';
  /**
   * The object it happened to.
   */
  object_id: string;
  /**
   * Whose data it is about; null for an object that is nobody’s.
   */
  patient_id: string | null;
  /**
   * The object as the change left it. Null when it was deleted, when its patient has been, when the key may not read it, where only identifiers were asked for, and when it was written before this version, which has another shape for it.
   */
  data: Patient | null;
}
/**
 * Something that happened to a medical record.
 */
export interface RecordEvent {
  /**
   * Event identifier; the same in every delivery of it.
   */
  id: string;
  /**
   * What happened.
   */
  type: 'record.created' | 'record.updated' | 'record.deleted' | 'record.restored';
  /**
   * When it happened.
   */
  timestamp: string;
  /**
   * Number of the event among those of its object: deliveries can overtake each other, numbers do not.
   */
  sequence: number;
  /**
   * What it happened to.
   */
  object_type: 'record';
  /**
   * The object it happened to.
   */
  object_id: string;
  /**
   * Whose data it is about; null for an object that is nobody’s.
   */
  patient_id: string | null;
  /**
   * The object as the change left it. Null when it was deleted, when its patient has been, when the key may not read it, where only identifiers were asked for, and when it was written before this version, which has another shape for it.
   */
  data: MedicalRecord | null;
}
/**
 * A medicine that is or was taken.
 */
export interface MedicationRecord {
  /**
   * Record identifier.
   */
  id: string;
  /**
   * The patient it is about.
   */
  patient_id: string;
  /**
   * Type of the record; it never changes.
   */
  type: 'medication';
  /**
   * State. `entered_in_error` says that it should never have been there.
   */
  status: 'planned' | 'active' | 'on_hold' | 'completed' | 'stopped' | 'entered_in_error';
  code: Coding3;
  /**
   * When it began, was measured, was done or was written; null when not known.
   */
  effective_at: string | null;
  /**
   * Who stated it.
   */
  author: string | null;
  /**
   * How much and how often, in words.
   */
  dosage: string | null;
  /**
   * How it is taken.
   */
  route: string | null;
  /**
   * Amount of one dose.
   */
  dose_value: string | null;
  /**
   * UCUM unit of the dose.
   */
  dose_unit: string | null;
  /**
   * What it is taken for.
   */
  indication: Coding1 | null;
  /**
   * When it was last taken.
   */
  ended_at: string | null;
  /**
   * When the record was created.
   */
  created_at: string;
  /**
   * When the record was last changed.
   */
  updated_at: string;
}
/**
 * A code of a published code system.
 */
export interface Coding3 {
  /**
   * Address of the code system, as HL7 FHIR gives it.
   */
  system: string;
  /**
   * The code. Codes of LOINC, SNOMED CT, ICD-10, ATC and RxNorm are checked for their form.
   */
  code: string;
  /**
   * What the code means, in words.
   */
  display: string | null;
}
/**
 * Something measured or seen.
 */
export interface ObservationRecord {
  /**
   * Record identifier.
   */
  id: string;
  /**
   * The patient it is about.
   */
  patient_id: string;
  /**
   * Type of the record; it never changes.
   */
  type: 'observation';
  /**
   * State. `entered_in_error` says that it should never have been there.
   */
  status: 'registered' | 'preliminary' | 'final' | 'amended' | 'corrected' | 'cancelled' | 'entered_in_error';
  code: Coding4;
  /**
   * When it began, was measured, was done or was written; null when not known.
   */
  effective_at: string | null;
  /**
   * Who stated it.
   */
  author: string | null;
  /**
   * A number when there is a unit, words otherwise; null when the components have the values.
   */
  value: string | null;
  /**
   * UCUM unit of the value.
   */
  unit: string | null;
  /**
   * How the true value relates to `value`.
   */
  comparator: '<' | '<=' | '>=' | '>' | null;
  /**
   * The value in the unit that all values of this code are compared in; null where the code has none.
   */
  canonical: Quantity | null;
  /**
   * What the value means.
   */
  interpretation: 'critical_low' | 'low' | 'normal' | 'high' | 'critical_high' | 'abnormal' | null;
  /**
   * Between which values it is usual.
   */
  reference_range: ReferenceRange | null;
  /**
   * Values that belong together; empty for a single value.
   *
   * @maxItems 50
   */
  components: ObservationComponent[];
  /**
   * When the record was created.
   */
  created_at: string;
  /**
   * When the record was last changed.
   */
  updated_at: string;
}
/**
 * A code of a published code system.
 */
export interface Coding4 {
  /**
   * Address of the code system, as HL7 FHIR gives it.
   */
  system: string;
  /**
   * The code. Codes of LOINC, SNOMED CT, ICD-10, ATC and RxNorm are checked for their form.
   */
  code: string;
  /**
   * What the code means, in words.
   */
  display: string | null;
}
/**
 * A value in a unit.
 */
export interface Quantity {
  /**
   * The number as text.
   */
  value: string;
  /**
   * UCUM unit.
   */
  unit: string;
}
/**
 * Between which values a measurement is usual.
 */
export interface ReferenceRange {
  /**
   * Lower end, in the unit of the value.
   */
  low: string | null;
  /**
   * Upper end, in the unit of the value.
   */
  high: string | null;
}
/**
 * One of several values of an observation.
 */
export interface ObservationComponent {
  /**
   * Address of the code system; null means that of the observation’s own code.
   */
  system: string | null;
  /**
   * What was measured.
   */
  code: string;
  /**
   * What the code means, in words.
   */
  display: string | null;
  /**
   * A number when there is a unit, words otherwise.
   */
  value: string;
  /**
   * UCUM unit.
   */
  unit: string | null;
  /**
   * The value in the unit that all values of this code are compared in; null where the code has none.
   */
  canonical: Quantity | null;
}
/**
 * Something done to the patient.
 */
export interface ProcedureRecord {
  /**
   * Record identifier.
   */
  id: string;
  /**
   * The patient it is about.
   */
  patient_id: string;
  /**
   * Type of the record; it never changes.
   */
  type: 'procedure';
  /**
   * State. `entered_in_error` says that it should never have been there.
   */
  status: 'planned' | 'in_progress' | 'completed' | 'stopped' | 'not_done' | 'entered_in_error';
  code: Coding5;
  /**
   * When it began, was measured, was done or was written; null when not known.
   */
  effective_at: string | null;
  /**
   * Who stated it.
   */
  author: string | null;
  /**
   * How it went.
   */
  outcome: string | null;
  /**
   * Where on the body.
   */
  body_site: Coding1 | null;
  /**
   * When it ended.
   */
  ended_at: string | null;
  /**
   * When the record was created.
   */
  created_at: string;
  /**
   * When the record was last changed.
   */
  updated_at: string;
}
/**
 * A code of a published code system.
 */
export interface Coding5 {
  /**
   * Address of the code system, as HL7 FHIR gives it.
   */
  system: string;
  /**
   * The code. Codes of LOINC, SNOMED CT, ICD-10, ATC and RxNorm are checked for their form.
   */
  code: string;
  /**
   * What the code means, in words.
   */
  display: string | null;
}
/**
 * Words of somebody who cares for the patient.
 */
export interface NoteRecord {
  /**
   * Record identifier.
   */
  id: string;
  /**
   * The patient it is about.
   */
  patient_id: string;
  /**
   * Type of the record; it never changes.
   */
  type: 'note';
  /**
   * State. `entered_in_error` says that it should never have been there.
   */
  status: 'draft' | 'final' | 'amended' | 'entered_in_error';
  /**
   * Kind of note, if it is coded.
   */
  code: Coding1 | null;
  /**
   * When it began, was measured, was done or was written; null when not known.
   */
  effective_at: string | null;
  /**
   * Who stated it.
   */
  author: string | null;
  /**
   * Title.
   */
  title: string | null;
  /**
   * The words.
   */
  text: string;
  /**
   * When the record was created.
   */
  created_at: string;
  /**
   * When the record was last changed.
   */
  updated_at: string;
}
/**
 * Something that happened to a result of imaging.
 */
export interface ImagingEvent {
  /**
   * Event identifier; the same in every delivery of it.
   */
  id: string;
  /**
   * What happened.
   */
  type: 'imaging.completed';
  /**
   * When it happened.
   */
  timestamp: string;
  /**
   * Number of the event among those of its object: deliveries can overtake each other, numbers do not.
   */
  sequence: number;
  /**
   * What it happened to.
   */
  object_type: 'imaging';
  /**
   * The object it happened to.
   */
  object_id: string;
  /**
   * Whose data it is about; null for an object that is nobody’s.
   */
  patient_id: string | null;
  /**
   * The object as the change left it. Null when it was deleted, when its patient has been, when the key may not read it, where only identifiers were asked for, and when it was written before this version, which has another shape for it.
   */
  data: DiagnosticRecord | null;
}
/**
 * Something that happened to a webhook subscription.
 */
export interface SubscriptionEvent {
  /**
   * Event identifier; the same in every delivery of it.
   */
  id: string;
  /**
   * What happened.
   */
  type: 'subscription.disabled';
  /**
   * When it happened.
   */
  timestamp: string;
  /**
   * Number of the event among those of its object: deliveries can overtake each other, numbers do not.
   */
  sequence: number;
  /**
   * What it happened to.
   */
  object_type: 'subscription';
  /**
   * The object it happened to.
   */
  object_id: string;
  /**
   * Whose data it is about; null for an object that is nobody’s.
   */
  patient_id: string | null;
  /**
   * The object as the change left it. Null when it was deleted, when its patient has been, when the key may not read it, where only identifiers were asked for, and when it was written before this version, which has another shape for it.
   */
  data: WebhookSubscription | null;
}
/**
 * Where events are sent, and how.
 */
export interface WebhookSubscription {
  /**
   * Subscription identifier.
   */
  id: string;
  /**
   * Where events are posted to: an https address on the public internet, without user or fragment.
   */
  url: string;
  /**
   * What it is for.
   */
  description: string | null;
  /**
   * The kinds of events that are sent; empty for every kind that the version has.
   *
   * @maxItems 50
   */
  kinds: (
    | 'patient.created'
    | 'patient.updated'
    | 'patient.deleted'
    | 'patient.restored'
    | 'record.created'
    | 'record.updated'
    | 'record.deleted'
    | 'record.restored'
    | 'attachment.created'
    | 'attachment.updated'
    | 'attachment.deleted'
    | 'diagnostic.completed'
    | 'bulk.completed'
    | 'imaging.completed'
    | 'subscription.disabled'
    | 'webhook.test'
  )[];
  /**
   * `full` sends the object as the change left it, `thin` only identifiers. `full` unless told.
   */
  payload?: 'full' | 'thin';
  /**
   * The version that events are sent in; unless told, that of the request that creates it.
   */
  version?: string;
  /**
   * `paused` keeps what waits and sends nothing, `disabled` means that this service gave up.
   */
  state: 'active' | 'paused' | 'disabled';
  /**
   * Why nothing is sent: `requested` by a client, `version_sunset` of its version, `receiver_gone` after a 410, `failing` for days; null while active.
   */
  state_reason: 'requested' | 'version_sunset' | 'receiver_gone' | 'failing' | null;
  /**
   * Since when it is in this state.
   */
  state_changed_at: string;
  /**
   * Until when deliveries are signed with the secret before the last rotation as well; null when there is none.
   */
  previous_secret_expires_at: string | null;
  /**
   * When it was created.
   */
  created_at: string;
  /**
   * When it was last changed.
   */
  updated_at: string;
}
/**
 * An event that somebody asked for to test a subscription with.
 */
export interface WebhookTestEvent {
  /**
   * Event identifier; the same in every delivery of it.
   */
  id: string;
  /**
   * What happened.
   */
  type: 'webhook.test';
  /**
   * When it happened.
   */
  timestamp: string;
  /**
   * Number of the event among those of its object: deliveries can overtake each other, numbers do not.
   */
  sequence: number;
  /**
   * What it happened to.
   */
  object_type: 'webhook';
  /**
   * The object it happened to.
   */
  object_id: string;
  /**
   * Whose data it is about; null for an object that is nobody’s.
   */
  patient_id: string | null;
  /**
   * The object as the change left it. Null when it was deleted, when its patient has been, when the key may not read it, where only identifiers were asked for, and when it was written before this version, which has another shape for it.
   */
  data: WebhookSubscription | null;
}
/**
 * One page of a list.
 */
export interface EventPage {
  /**
   * The entries of this page, in the order asked for.
   *
   * @maxItems 100
   */
  items: Event[];
  /**
   * Send it as `cursor` to get the next page; null on the last page.
   */
  next_cursor: string | null;
  /**
   * Whether entries follow this page.
   */
  has_more: boolean;
  /**
   * Entries in the whole list; only when `include_total=true` was asked.
   */
  total?: number;
  minItems?: 0;
}
/**
 * A medication with food or alcohol.
 */
export interface FoodInteraction {
  /**
   * The food or drink.
   */
  food: string;
  medication: MedicationReference1;
  /**
   * How bad it is; `unknown` is never safe.
   */
  severity: 'contraindicated' | 'major' | 'moderate' | 'unknown' | 'minor' | 'none_known';
  /**
   * How sure the sources are.
   */
  certainty: 'established' | 'probable' | 'suspected' | 'theoretical';
  /**
   * How it comes about.
   */
  mechanism: string;
  /**
   * What can happen.
   */
  effect: string;
  /**
   * What to do.
   */
  management: string;
  /**
   * Entries of `sources`.
   */
  source_ids: string[];
  /**
   * Whether it is worth stopping the prescriber.
   */
  interruptive: boolean;
  /**
   * Rules that fired, heaviest first.
   */
  rule_ids: string[];
}
/**
 * One entry of the list in a finding.
 */
export interface MedicationReference1 {
  /**
   * Position in `medications` of the answer.
   */
  index: number;
  /**
   * Its name.
   */
  name: string;
  /**
   * The substance that drives the finding; null when not known.
   */
  substance: string | null;
}
/**
 * How many relationships of one type an entity has.
 */
export interface GraphDegree {
  /**
   * Type of relationship.
   */
  type:
    | 'has_finding'
    | 'raises'
    | 'treated_by'
    | 'uses'
    | 'contains'
    | 'contraindicated_in'
    | 'interacts_with'
    | 'covers'
    | 'recommends'
    | 'differential_of'
    | 'raised_by'
    | 'is_a'
    | 'in_class'
    | 'in_category';
  /**
   * `out`: the entity is the first; `in`: it is the second.
   */
  direction: 'out' | 'in';
  /**
   * How many.
   */
  count: number;
}
/**
 * An entity of the knowledge graph.
 */
export interface GraphEntity {
  item: KnowledgeItem;
  /**
   * What relationships it has.
   */
  degrees: GraphDegree[];
}
/**
 * An entity beside another, and how.
 */
export interface GraphNeighbour {
  entity: KnowledgeItem;
  /**
   * `out`: the neighbour is the second of the relationship.
   */
  direction: 'out' | 'in';
  relationship: GraphRelationship;
}
/**
 * One page of a list.
 */
export interface GraphNeighbourPage {
  /**
   * The entries of this page, in the order asked for.
   *
   * @maxItems 100
   */
  items: GraphNeighbour[];
  /**
   * Send it as `cursor` to get the next page; null on the last page.
   */
  next_cursor: string | null;
  /**
   * Whether entries follow this page.
   */
  has_more: boolean;
  /**
   * Entries in the whole list; only when `include_total=true` was asked.
   */
  total?: number;
  minItems?: 0;
}
/**
 * A way from one entity to another.
 */
export interface GraphPath {
  /**
   * How many relationships it has.
   */
  length: number;
  /**
   * The entities on the way, both ends included.
   */
  entities: KnowledgeItem[];
  /**
   * What leads from each to the next; followed in either direction.
   */
  relationships: GraphRelationship[];
}
/**
 * One page of a list.
 */
export interface GraphPathPage {
  /**
   * The entries of this page, in the order asked for.
   *
   * @maxItems 100
   */
  items: GraphPath[];
  /**
   * Send it as `cursor` to get the next page; null on the last page.
   */
  next_cursor: string | null;
  /**
   * Whether entries follow this page.
   */
  has_more: boolean;
  /**
   * Entries in the whole list; only when `include_total=true` was asked.
   */
  total?: number;
  minItems?: 0;
}
/**
 * A record of a patient that the graph knows.
 */
export interface GraphRecognized {
  /**
   * The record.
   */
  record_id: string;
  /**
   * Type of the record.
   */
  type: 'condition' | 'medication' | 'allergy';
  /**
   * What it stands for.
   *
   * Items: An entity.
   */
  entity_ids: string[];
  /**
   * `code`: its code, or a code above or below it; `code_category`: another code of the same three characters; `name`: its words.
   */
  matched_by: 'code' | 'code_category' | 'name';
}
/**
 * The shortest way between two entities.
 */
export interface GraphShortestPath {
  /**
   * A shortest way; null when none is short enough.
   */
  path: GraphPath | null;
  /**
   * How far was looked.
   */
  max_length: number;
  /**
   * Version of the knowledge base.
   */
  knowledge_version: string;
}
/**
 * A record of a patient that the graph does not know.
 */
export interface GraphUnrecognized {
  /**
   * The record.
   */
  record_id: string;
  /**
   * Type of the record.
   */
  type: 'condition' | 'medication' | 'allergy';
}
/**
 * The result of looking at one image: observations with places and numbers, not diagnoses.
 */
export interface ImagingAnalysis1 {
  /**
   * With `not_analyzable` nothing is said of the body; what was measured of the picture itself is still given.
   */
  outcome: 'analyzed' | 'not_analyzable';
  /**
   * Why it is not analysable; null when it was analysed.
   */
  refusal: ImagingRefusal | null;
  subject: ImagingSubject;
  orientation: ImagingOrientation;
  /**
   * Width in pixels.
   */
  width: number;
  /**
   * Height in pixels.
   */
  height: number;
  /**
   * What was outlined.
   */
  structures: ImagingStructure[];
  /**
   * What was measured.
   */
  measures: ImagingMeasure[];
  /**
   * What is unlike what is expected, surest first. None found does not mean that the patient is well.
   */
  findings: ImagingFinding[];
  /**
   * Everything that was looked for or cannot be judged.
   */
  checks: ImagingCheck[];
  /**
   * What looked at it.
   */
  analyzers: ImagingAnalyzer[];
  /**
   * Within which limits the result is valid.
   */
  limits: string[];
  /**
   * Version of the analysis as a whole.
   */
  model_version: string;
  /**
   * What this result is and is not.
   */
  disclaimer: string;
}
/**
 * The result of an analysis, or its job.
 */
export interface ImagingAnalysisAnswer {
  /**
   * The result, a diagnostic record of kind imaging; null where it is still to come.
   */
  result: DiagnosticRecord | null;
  /**
   * The job that makes the result; null where the result is here.
   */
  job: Job | null;
}
/**
 * Which image of a study is analysed, and what is known of it.
 */
export interface ImagingAnalysisRequest {
  /**
   * Which file; the first one unless it is named.
   */
  instance_id?: string;
  /**
   * Which frame, from 1.
   */
  frame?: number;
  context?: ImagingContext;
  /**
   * Whether to answer with a job at once, whatever the size; large images always do.
   */
  background?: boolean;
}
/**
 * What the caller knows of an image.
 */
export interface ImagingContext {
  /**
   * DICOM modality.
   */
  modality?: string;
  /**
   * Body part examined.
   */
  bodyPart?: string;
  /**
   * View position.
   */
  view?: 'PA' | 'AP' | 'LL' | 'RL';
  /**
   * Side.
   */
  laterality?: 'L' | 'R' | 'B' | 'U';
  /**
   * Age in completed years.
   */
  patientAge?: number;
}
/**
 * Who a study says that it is of.
 */
export interface ImagingIdentity {
  /**
   * What the first file says of the patient and of those who treated them. Never used to find a patient.
   *
   * @maxItems 50
   */
  patient_tags: ImagingTag[];
  /**
   * Whether the file says that the identity was removed from it.
   */
  identity_removed: boolean;
  burned_in_text: BurnedInText;
}
/**
 * A value of a DICOM file that tells who somebody is.
 */
export interface ImagingTag {
  /**
   * The attribute’s tag.
   */
  tag: string;
  /**
   * Its keyword in the data dictionary.
   */
  keyword: string;
  /**
   * Its value in the file.
   */
  value: string;
}
/**
 * One file of a study.
 */
export interface ImagingInstance {
  /**
   * Instance identifier.
   */
  id: string;
  /**
   * The study it belongs to.
   */
  study_id: string;
  /**
   * Media type, found out from the content.
   */
  media_type: string;
  /**
   * Size in bytes.
   */
  size: number;
  /**
   * SHA-256 of the content, in hexadecimal.
   */
  sha256: string;
  /**
   * Width in pixels.
   */
  width: number;
  /**
   * Height in pixels.
   */
  height: number;
  /**
   * How many frames it has.
   */
  frames: number;
  /**
   * Bits of one value.
   */
  bits_stored: number;
  /**
   * How samples make a colour; null for PNG and JPEG.
   */
  photometric_interpretation: string | null;
  /**
   * How the file is written; null for PNG and JPEG.
   */
  transfer_syntax_uid: string | null;
  /**
   * Whether a compression that loses details was used at any time.
   */
  lossy: boolean;
  /**
   * Distance of pixels in millimetres; null where the file does not say.
   */
  pixel_spacing_mm: PixelSpacing | null;
  /**
   * The window that the file asks for; null where it asks for none.
   */
  window: ImagingWindow | null;
  /**
   * DICOM modality.
   */
  modality: string | null;
  /**
   * Number of its series.
   */
  series_number: number | null;
  /**
   * Its number in the series.
   */
  instance_number: number | null;
  /**
   * Series Instance UID.
   */
  series_instance_uid: string | null;
  /**
   * SOP Instance UID.
   */
  sop_instance_uid: string | null;
  /**
   * SOP Class UID.
   */
  sop_class_uid: string | null;
  /**
   * When it was stored.
   */
  created_at: string;
}
/**
 * Distance between the centres of pixels, in millimetres.
 */
export interface PixelSpacing {
  /**
   * Between rows.
   */
  row: number;
  /**
   * Between columns.
   */
  column: number;
}
/**
 * Which values are shown from black to white.
 */
export interface ImagingWindow {
  /**
   * Value shown in the middle between black and white, after rescale.
   */
  center: number;
  /**
   * How many values lie between black and white.
   */
  width: number;
}
/**
 * One page of a list.
 */
export interface ImagingInstancePage {
  /**
   * The entries of this page, in the order asked for.
   *
   * @maxItems 100
   */
  items: ImagingInstance[];
  /**
   * Send it as `cursor` to get the next page; null on the last page.
   */
  next_cursor: string | null;
  /**
   * Whether entries follow this page.
   */
  has_more: boolean;
  /**
   * Entries in the whole list; only when `include_total=true` was asked.
   */
  total?: number;
  minItems?: 0;
}
/**
 * What an analysis of an image has seen.
 */
export interface ImagingJobResult {
  /**
   * Tells results apart.
   */
  kind: 'imaging';
  data: DiagnosticRecord;
}
/**
 * How the image lies, as far as it can be told.
 */
export interface ImagingOrientation1 {
  /**
   * How the stored picture is turned against upright.
   */
  rotation: 'none' | 'clockwise_90' | 'half_turn' | 'counterclockwise_90' | 'cannot_judge';
  /**
   * Whether left and right are exchanged.
   */
  mirrored: 'no' | 'suspected' | 'cannot_judge';
  /**
   * On which side of the stored picture the right of the patient is taken to be.
   */
  patient_right: 'image_left' | 'image_right' | 'image_top' | 'image_bottom' | 'cannot_judge';
  /**
   * What this rests on. Markers on the film are not read.
   */
  text: string;
}
/**
 * Images of one examination.
 */
export interface ImagingStudy {
  /**
   * Study identifier.
   */
  id: string;
  /**
   * The patient it is of: only what a caller has said, never what the file says.
   */
  patient_id: string | null;
  /**
   * What the caller calls it.
   */
  description: string | null;
  /**
   * In what it came.
   */
  source: 'dicom' | 'png' | 'jpeg';
  /**
   * DICOM modality.
   */
  modality: string | null;
  /**
   * Body part examined, as the file says.
   */
  body_part: string | null;
  /**
   * View position, as the file says.
   */
  view: string | null;
  /**
   * Side, as the file says.
   */
  laterality: string | null;
  /**
   * What the file calls the study.
   */
  study_description: string | null;
  /**
   * Day of the examination, as the file says: YYYY-MM-DD.
   */
  study_date: string | null;
  /**
   * Study Instance UID; null where the file has none, and for PNG and JPEG.
   */
  study_instance_uid: string | null;
  /**
   * How many files it has.
   */
  instance_count: number;
  /**
   * Size of all files in bytes.
   */
  size: number;
  identity: ImagingIdentity1;
  /**
   * When it was stored.
   */
  created_at: string;
  /**
   * When it was last changed.
   */
  updated_at: string;
}
/**
 * Who a study says that it is of.
 */
export interface ImagingIdentity1 {
  /**
   * What the first file says of the patient and of those who treated them. Never used to find a patient.
   *
   * @maxItems 50
   */
  patient_tags: ImagingTag[];
  /**
   * Whether the file says that the identity was removed from it.
   */
  identity_removed: boolean;
  burned_in_text: BurnedInText;
}
/**
 * One page of a list.
 */
export interface ImagingStudyPage {
  /**
   * The entries of this page, in the order asked for.
   *
   * @maxItems 100
   */
  items: ImagingStudy[];
  /**
   * Send it as `cursor` to get the next page; null on the last page.
   */
  next_cursor: string | null;
  /**
   * Whether entries follow this page.
   */
  has_more: boolean;
  /**
   * Entries in the whole list; only when `include_total=true` was asked.
   */
  total?: number;
  minItems?: 0;
}
/**
 * Images of one examination.
 */
export interface ImagingStudyPatch {
  /**
   * Study identifier.
   */
  id?: {
    [k: string]: unknown;
  };
  /**
   * The patient it is of: only what a caller has said, never what the file says.
   */
  patient_id?: string | null;
  /**
   * What the caller calls it.
   */
  description?: string | null;
  /**
   * In what it came.
   */
  source?: {
    [k: string]: unknown;
  };
  /**
   * DICOM modality.
   */
  modality?: {
    [k: string]: unknown;
  };
  /**
   * Body part examined, as the file says.
   */
  body_part?: {
    [k: string]: unknown;
  };
  /**
   * View position, as the file says.
   */
  view?: {
    [k: string]: unknown;
  };
  /**
   * Side, as the file says.
   */
  laterality?: {
    [k: string]: unknown;
  };
  /**
   * What the file calls the study.
   */
  study_description?: {
    [k: string]: unknown;
  };
  /**
   * Day of the examination, as the file says: YYYY-MM-DD.
   */
  study_date?: {
    [k: string]: unknown;
  };
  /**
   * Study Instance UID; null where the file has none, and for PNG and JPEG.
   */
  study_instance_uid?: {
    [k: string]: unknown;
  };
  /**
   * How many files it has.
   */
  instance_count?: {
    [k: string]: unknown;
  };
  /**
   * Size of all files in bytes.
   */
  size?: {
    [k: string]: unknown;
  };
  /**
   * Who the file says that it is of, and whether the picture may say so too.
   */
  identity?: {
    [k: string]: unknown;
  };
  /**
   * When it was stored.
   */
  created_at?: {
    [k: string]: unknown;
  };
  /**
   * When it was last changed.
   */
  updated_at?: {
    [k: string]: unknown;
  };
}
/**
 * What the image was taken for, and why.
 */
export interface ImagingSubject1 {
  /**
   * What the image was taken for.
   */
  kind: 'chest_frontal' | 'radiograph' | 'not_recognized';
  /**
   * What says so.
   */
  basis: 'header' | 'pixels' | 'header_and_pixels';
  /**
   * How sure that is; null where only the header says so.
   */
  confidence: ConfidenceScore | null;
  /**
   * What speaks for or against it, in words.
   */
  evidence: string[];
}
/**
 * The parts of an upload. The body can also be the file itself, as application/dicom, image/png, image/jpeg or application/octet-stream, with the other parts as query parameters.
 */
export interface ImagingUpload {
  /**
   * The patient it is of. Comes before the file.
   */
  patient_id?: string;
  /**
   * What to call it. Comes before the file.
   */
  description?: string | null;
  /**
   * Whether the identity is removed before anything is kept (DICOM files only; PS3.15 Basic Profile). Comes before the file.
   */
  deidentify?: 'true' | 'false';
  /**
   * The DICOM, PNG or JPEG file; the last part.
   */
  file: string;
}
/**
 * Incidence in a period.
 */
export interface IncidencePoint {
  /**
   * The period: `2023`, `2023-Q4` or `2023-10`.
   */
  period: string;
  /**
   * First day, UTC.
   */
  starts_on: string;
  /**
   * Last day, UTC.
   */
  ends_on: string;
  /**
   * People born before the period began who had not had the condition. Rounded; null when suppressed.
   */
  at_risk: number | null;
  /**
   * People in whom it began, for the first time, in the period. Rounded; null when suppressed.
   */
  new_cases: number | null;
  /**
   * New cases per 1,000 people at risk. Worked out from the rounded numbers; null when one of them is suppressed.
   */
  per_1000: number | null;
}
/**
 * Incidence of a condition over time.
 */
export interface IncidenceSeries {
  /**
   * Address of the code system; null where the code was looked for in every one.
   */
  system: string | null;
  /**
   * The code asked for; codes that begin with it count as well.
   */
  code: string;
  /**
   * Length of a period.
   */
  interval: 'month' | 'quarter' | 'year';
  /**
   * What counts as a new case.
   */
  definition: string;
  /**
   * Periods, oldest first.
   *
   * @maxItems 120
   */
  points: IncidencePoint[];
  /**
   * Day the answer speaks of, UTC.
   */
  as_of: string;
  /**
   * Time zone in which days and months begin.
   */
  time_zone: 'UTC';
  disclosure_control: DisclosureControl;
}
/**
 * An allergy of the patient.
 */
export interface InteractionAllergy {
  /**
   * Substance, brand or group.
   */
  text: string;
  /**
   * Code of the substance.
   */
  code?: MedicationCode | null;
}
/**
 * Answer of an interaction check.
 */
export interface InteractionCheck {
  /**
   * The list that was checked: what was sent, in its order, then what the records add.
   */
  medications: CheckedMedication[];
  summary: InteractionSummary;
  /**
   * Every pair, worst first.
   */
  pairs: InteractionPair[];
  /**
   * Three or more together, worst first.
   */
  groups: InteractionGroup[];
  /**
   * Duplicate therapy, worst first.
   */
  duplicates: DuplicateTherapy[];
  /**
   * Food and alcohol, worst first.
   */
  food: FoodInteraction[];
  /**
   * What speaks against a medication, worst first.
   */
  patient_warnings: PatientWarning[];
  /**
   * What was known of the patient; null when nothing was given.
   */
  patient_facts: PatientFacts | null;
  /**
   * What was not understood.
   */
  unresolved: UnresolvedEntry[];
  /**
   * The sources of all findings.
   */
  sources: InteractionSource[];
  /**
   * Version of the knowledge base.
   */
  knowledge_version: string;
  /**
   * Version of the engine.
   */
  model_version: string;
  /**
   * What this result is and is not.
   */
  disclaimer: string;
}
/**
 * The whole list judged.
 */
export interface InteractionSummary {
  by_severity: SeverityCounts;
  /**
   * Worst of everything found; `unknown` when something was not judged and nothing worse found.
   */
  highest: 'contraindicated' | 'major' | 'moderate' | 'unknown' | 'minor' | 'none_known';
  /**
   * Findings of any kind worth stopping the prescriber for.
   */
  interruptive: number;
  /**
   * Pairs with an override that still covers their severity.
   */
  overridden: number;
  /**
   * False when anything could not be judged.
   */
  complete: boolean;
}
/**
 * All pairs, also those that are not listed.
 */
export interface SeverityCounts {
  /**
   * Pairs that are `contraindicated`.
   */
  contraindicated: number;
  /**
   * Pairs that are `major`.
   */
  major: number;
  /**
   * Pairs that are `moderate`.
   */
  moderate: number;
  /**
   * Pairs that are `unknown`.
   */
  unknown: number;
  /**
   * Pairs that are `minor`.
   */
  minor: number;
  /**
   * Pairs that are `none_known`.
   */
  none_known: number;
}
/**
 * How one pair of medications was judged.
 */
export interface InteractionPair {
  a: MedicationReference2;
  b: MedicationReference3;
  /**
   * How bad it is; `unknown` is never safe.
   */
  severity: 'contraindicated' | 'major' | 'moderate' | 'unknown' | 'minor' | 'none_known';
  /**
   * How sure the sources are.
   */
  certainty: 'established' | 'probable' | 'suspected' | 'theoretical';
  /**
   * How it comes about.
   */
  mechanism: string;
  /**
   * What can happen.
   */
  effect: string;
  /**
   * What to do.
   */
  management: string;
  /**
   * Entries of `sources`.
   */
  source_ids: string[];
  /**
   * Whether it is worth stopping the prescriber.
   */
  interruptive: boolean;
  /**
   * Rules that fired, heaviest first.
   */
  rule_ids: string[];
  /**
   * Findings beside the one that decides.
   */
  also: InteractionFinding[];
  /**
   * Overrides recorded for the patient, newest first. They never change the severity.
   *
   * @maxItems 10
   */
  overrides:
    | []
    | [InteractionOverrideNote]
    | [InteractionOverrideNote, InteractionOverrideNote]
    | [InteractionOverrideNote, InteractionOverrideNote, InteractionOverrideNote]
    | [InteractionOverrideNote, InteractionOverrideNote, InteractionOverrideNote, InteractionOverrideNote]
    | [
        InteractionOverrideNote,
        InteractionOverrideNote,
        InteractionOverrideNote,
        InteractionOverrideNote,
        InteractionOverrideNote
      ]
    | [
        InteractionOverrideNote,
        InteractionOverrideNote,
        InteractionOverrideNote,
        InteractionOverrideNote,
        InteractionOverrideNote,
        InteractionOverrideNote
      ]
    | [
        InteractionOverrideNote,
        InteractionOverrideNote,
        InteractionOverrideNote,
        InteractionOverrideNote,
        InteractionOverrideNote,
        InteractionOverrideNote,
        InteractionOverrideNote
      ]
    | [
        InteractionOverrideNote,
        InteractionOverrideNote,
        InteractionOverrideNote,
        InteractionOverrideNote,
        InteractionOverrideNote,
        InteractionOverrideNote,
        InteractionOverrideNote,
        InteractionOverrideNote
      ]
    | [
        InteractionOverrideNote,
        InteractionOverrideNote,
        InteractionOverrideNote,
        InteractionOverrideNote,
        InteractionOverrideNote,
        InteractionOverrideNote,
        InteractionOverrideNote,
        InteractionOverrideNote,
        InteractionOverrideNote
      ]
    | [
        InteractionOverrideNote,
        InteractionOverrideNote,
        InteractionOverrideNote,
        InteractionOverrideNote,
        InteractionOverrideNote,
        InteractionOverrideNote,
        InteractionOverrideNote,
        InteractionOverrideNote,
        InteractionOverrideNote,
        InteractionOverrideNote
      ];
}
/**
 * One entry of the list in a finding.
 */
export interface MedicationReference2 {
  /**
   * Position in `medications` of the answer.
   */
  index: number;
  /**
   * Its name.
   */
  name: string;
  /**
   * The substance that drives the finding; null when not known.
   */
  substance: string | null;
}
/**
 * One entry of the list in a finding.
 */
export interface MedicationReference3 {
  /**
   * Position in `medications` of the answer.
   */
  index: number;
  /**
   * Its name.
   */
  name: string;
  /**
   * The substance that drives the finding; null when not known.
   */
  substance: string | null;
}
/**
 * One rule that fired.
 */
export interface InteractionFinding {
  /**
   * The rule that fired.
   */
  rule_id: string;
  /**
   * How bad it is; `unknown` is never safe.
   */
  severity: 'contraindicated' | 'major' | 'moderate' | 'unknown' | 'minor' | 'none_known';
  /**
   * How sure the sources are.
   */
  certainty: 'established' | 'probable' | 'suspected' | 'theoretical';
  /**
   * How it comes about.
   */
  mechanism: string;
  /**
   * What can happen.
   */
  effect: string;
  /**
   * What to do.
   */
  management: string;
  /**
   * Entries of `sources`.
   */
  source_ids: string[];
}
/**
 * An override that was recorded for a pair.
 */
export interface InteractionOverrideNote {
  /**
   * Override identifier.
   */
  id: string;
  /**
   * Why the finding was overridden; `other` needs `reason_text`.
   */
  reason_code:
    | 'benefit_outweighs_risk'
    | 'monitoring_planned'
    | 'dose_adjusted'
    | 'tolerated_before'
    | 'no_alternative'
    | 'specialist_advice'
    | 'not_relevant_for_patient'
    | 'other';
  /**
   * The reason in words.
   */
  reason_text: string | null;
  /**
   * What the pair was judged when it was recorded.
   */
  severity_then: 'contraindicated' | 'major' | 'moderate' | 'unknown' | 'minor' | 'none_known';
  /**
   * False when the pair is judged worse now than when it was overridden: decide again.
   */
  covers_now: boolean;
  /**
   * Identifier of the API key that recorded it.
   */
  created_by: string;
  /**
   * When it was recorded.
   */
  created_at: string;
}
/**
 * A finding that needs three or more medications together.
 */
export interface InteractionGroup {
  /**
   * What the combination is called.
   */
  title: string;
  /**
   * The medications that make it up.
   */
  medications: MedicationReference[];
  /**
   * How bad it is; `unknown` is never safe.
   */
  severity: 'contraindicated' | 'major' | 'moderate' | 'unknown' | 'minor' | 'none_known';
  /**
   * How sure the sources are.
   */
  certainty: 'established' | 'probable' | 'suspected' | 'theoretical';
  /**
   * How it comes about.
   */
  mechanism: string;
  /**
   * What can happen.
   */
  effect: string;
  /**
   * What to do.
   */
  management: string;
  /**
   * Entries of `sources`.
   */
  source_ids: string[];
  /**
   * Whether it is worth stopping the prescriber.
   */
  interruptive: boolean;
  /**
   * Rules that fired, heaviest first.
   */
  rule_ids: string[];
}
/**
 * A fact of the patient against a medication.
 */
export interface PatientWarning {
  /**
   * Which fact of the patient it comes from.
   */
  kind: 'allergy' | 'condition' | 'age' | 'pregnancy' | 'lactation' | 'kidney' | 'liver';
  medication: MedicationReference4;
  /**
   * How bad it is; `unknown` is never safe.
   */
  severity: 'contraindicated' | 'major' | 'moderate' | 'unknown' | 'minor' | 'none_known';
  /**
   * How sure the sources are.
   */
  certainty: 'established' | 'probable' | 'suspected' | 'theoretical';
  /**
   * How it comes about.
   */
  mechanism: string;
  /**
   * What can happen.
   */
  effect: string;
  /**
   * What to do.
   */
  management: string;
  /**
   * Entries of `sources`.
   */
  source_ids: string[];
  /**
   * Whether it is worth stopping the prescriber.
   */
  interruptive: boolean;
  /**
   * Rules that fired, heaviest first.
   */
  rule_ids: string[];
}
/**
 * One entry of the list in a finding.
 */
export interface MedicationReference4 {
  /**
   * Position in `medications` of the answer.
   */
  index: number;
  /**
   * Its name.
   */
  name: string;
  /**
   * The substance that drives the finding; null when not known.
   */
  substance: string | null;
}
/**
 * What the check knew of the patient.
 */
export interface PatientFacts {
  /**
   * The patient, where one was named.
   */
  patient_id: string | null;
  /**
   * Age in years.
   */
  age: number | null;
  /**
   * Sex.
   */
  sex: 'female' | 'male' | 'other' | 'unknown' | null;
  /**
   * Whether pregnant.
   */
  pregnant: boolean | null;
  /**
   * Whether breastfeeding.
   */
  lactating: boolean | null;
  /**
   * Conditions that rules could read.
   */
  conditions: PatientFactCondition[];
  /**
   * Active conditions of the records that have no ICD-10 code, so that no rule could read them.
   */
  conditions_not_judged: string[];
  /**
   * Allergies, as they were sent or recorded.
   */
  allergies: string[];
  /**
   * Filtration rate in mL/min/1.73 m².
   */
  egfr: number | null;
  /**
   * When the filtration rate of the records was measured; null when it was sent.
   */
  egfr_measured_at: string | null;
  /**
   * Child-Pugh class.
   */
  child_pugh: 'A' | 'B' | 'C' | null;
  /**
   * Active medications of the records beyond the 100 that one check takes; the summary is then not complete.
   */
  medications_left_out: number;
  /**
   * Facts that rules ask for and nobody gave: their rules were not checked.
   *
   * Items: A fact, named as in `patientData`.
   */
  missing: ('age' | 'sex' | 'pregnant' | 'lactating' | 'conditions' | 'allergies' | 'egfr' | 'childPugh')[];
  /**
   * Day on which the age was reckoned, UTC.
   */
  as_of: string;
}
/**
 * A condition that was taken into account.
 */
export interface PatientFactCondition {
  /**
   * ICD-10 code.
   */
  code: string;
  /**
   * The condition in words.
   */
  display: string | null;
}
/**
 * An entry that was not understood.
 */
export interface UnresolvedEntry {
  /**
   * What it is.
   */
  kind: 'medication' | 'allergy';
  /**
   * Position in `medications`, or in `patient_facts.allergies`, of the answer.
   */
  index: number;
  /**
   * As it was sent or recorded.
   */
  text: string;
  /**
   * Whether several or none are meant.
   */
  status: 'ambiguous' | 'unresolved';
  /**
   * What could be meant.
   *
   * @maxItems 5
   */
  suggestions:
    | []
    | [MedicationSuggestion]
    | [MedicationSuggestion, MedicationSuggestion]
    | [MedicationSuggestion, MedicationSuggestion, MedicationSuggestion]
    | [MedicationSuggestion, MedicationSuggestion, MedicationSuggestion, MedicationSuggestion]
    | [MedicationSuggestion, MedicationSuggestion, MedicationSuggestion, MedicationSuggestion, MedicationSuggestion];
}
/**
 * Where a finding was published.
 */
export interface InteractionSource {
  /**
   * Name by which findings refer to it.
   */
  id: string;
  /**
   * Title.
   */
  title: string;
  /**
   * Authority, journal or organisation.
   */
  publisher: string;
  /**
   * Year of publication.
   */
  year: number;
  /**
   * Address.
   */
  url: string | null;
}
/**
 * Input of an interaction check.
 */
export interface InteractionCheckRequest {
  /**
   * The medications; may be left out when `patient_id` is given.
   *
   * @maxItems 100
   */
  medications?: MedicationInput[];
  /**
   * A patient whose age, sex, active conditions, allergies, last filtration rate and active medications are taken from the records. The key also needs `patients:read`.
   */
  patient_id?: string | null;
  patientData?: InteractionPatientData;
  /**
   * Processing options.
   */
  options?: {
    /**
     * Whether food and alcohol are checked.
     */
    includeFoodAndAlcohol?: boolean;
    /**
     * Whether the active medications of the records join the list.
     */
    includeRecordedMedications?: boolean;
    /**
     * Least severe pairs listed. Pairs that are `unknown` are always listed and all are counted.
     */
    minimumSeverity?: 'contraindicated' | 'major' | 'moderate' | 'unknown' | 'minor' | 'none_known';
  };
}
/**
 * One medication: a name, a code, or both.
 */
export interface MedicationInput {
  /**
   * Substance, brand, salt or combination, with or without strength and form.
   */
  name?: string | null;
  /**
   * Code; when name and code mean different medications, neither is believed.
   */
  code?: MedicationCode | null;
  /**
   * How it is taken.
   */
  route?: string | null;
}
/**
 * Facts about the patient. With `patient_id` they come before those of the records; lists are joined.
 */
export interface InteractionPatientData {
  /**
   * Age in years; a fraction for an infant.
   */
  age?: number;
  /**
   * Sex of the patient.
   */
  sex?: 'female' | 'male' | 'other' | 'unknown';
  /**
   * Whether the patient is pregnant.
   */
  pregnant?: boolean;
  /**
   * Whether the patient breastfeeds.
   */
  lactating?: boolean;
  /**
   * Conditions; an empty list says none.
   *
   * @maxItems 200
   */
  conditions?: InteractionCondition[];
  /**
   * Allergies; an empty list says none.
   *
   * @maxItems 100
   */
  allergies?: InteractionAllergy[];
  /**
   * Estimated filtration rate in mL/min/1.73 m².
   */
  egfr?: number;
  /**
   * Child-Pugh class of the liver.
   */
  childPugh?: 'A' | 'B' | 'C';
}
/**
 * A condition of the patient, by ICD-10.
 */
export interface InteractionCondition {
  /**
   * ICD-10 code.
   */
  code: string;
  /**
   * The condition in words.
   */
  display?: string | null;
}
/**
 * An interaction that was overridden, and why. It is never changed and never lowers a severity.
 */
export interface InteractionOverride {
  /**
   * Override identifier.
   */
  id: string;
  /**
   * The patient it holds for; one without a patient is kept for the account and shown in no check.
   */
  patient_id: string | null;
  /**
   * The pair; both must be identified without doubt.
   *
   * @minItems 2
   * @maxItems 2
   */
  medications: [OverrideMedication, OverrideMedication];
  /**
   * Why the finding was overridden; `other` needs `reason_text`.
   */
  reason_code:
    | 'benefit_outweighs_risk'
    | 'monitoring_planned'
    | 'dose_adjusted'
    | 'tolerated_before'
    | 'no_alternative'
    | 'specialist_advice'
    | 'not_relevant_for_patient'
    | 'other';
  /**
   * The reason in words.
   */
  reason_text: string | null;
  /**
   * What the pair was judged when it was recorded.
   */
  severity: 'contraindicated' | 'major' | 'moderate' | 'unknown' | 'minor' | 'none_known';
  /**
   * Rules that had fired, heaviest first.
   */
  rule_ids: string[];
  /**
   * Version of the knowledge base at that time.
   */
  knowledge_version: string;
  /**
   * Identifier of the API key that recorded it.
   */
  created_by: string;
  /**
   * When it was recorded.
   */
  created_at: string;
}
/**
 * One medication of an overridden pair.
 */
export interface OverrideMedication {
  /**
   * Name as it was sent.
   */
  name: string | null;
  /**
   * Code as it was sent.
   */
  code: OverrideMedicationCode | null;
  /**
   * The active substances it means: an override holds for every medication of the same ones.
   */
  substance_ids: string[];
}
/**
 * A code by ATC or RxNorm.
 */
export interface OverrideMedicationCode {
  /**
   * `atc`, `rxnorm`, or the address of either.
   */
  system: string;
  /**
   * The code.
   */
  code: string;
}
/**
 * An interaction that was overridden, and why. It is never changed and never lowers a severity.
 */
export interface InteractionOverrideCreate {
  /**
   * Override identifier.
   */
  id?: {
    [k: string]: unknown;
  };
  /**
   * The patient it holds for; one without a patient is kept for the account and shown in no check.
   */
  patient_id?: string | null;
  /**
   * The pair; both must be identified without doubt.
   *
   * @minItems 2
   * @maxItems 2
   */
  medications: [OverrideMedicationCreate, OverrideMedicationCreate];
  /**
   * Why the finding was overridden; `other` needs `reason_text`.
   */
  reason_code:
    | 'benefit_outweighs_risk'
    | 'monitoring_planned'
    | 'dose_adjusted'
    | 'tolerated_before'
    | 'no_alternative'
    | 'specialist_advice'
    | 'not_relevant_for_patient'
    | 'other';
  /**
   * The reason in words.
   */
  reason_text?: string | null;
  /**
   * What the pair was judged when it was recorded.
   */
  severity?: {
    [k: string]: unknown;
  };
  /**
   * Rules that had fired, heaviest first.
   */
  rule_ids?: {
    [k: string]: unknown;
  };
  /**
   * Version of the knowledge base at that time.
   */
  knowledge_version?: {
    [k: string]: unknown;
  };
  /**
   * Identifier of the API key that recorded it.
   */
  created_by?: {
    [k: string]: unknown;
  };
  /**
   * When it was recorded.
   */
  created_at?: {
    [k: string]: unknown;
  };
}
/**
 * One medication of an overridden pair.
 */
export interface OverrideMedicationCreate {
  /**
   * Name as it was sent.
   */
  name?: string | null;
  /**
   * Code as it was sent.
   */
  code?: OverrideMedicationCodeCreate | null;
  /**
   * The active substances it means: an override holds for every medication of the same ones.
   */
  substance_ids?: {
    [k: string]: unknown;
  };
}
/**
 * A code by ATC or RxNorm.
 */
export interface OverrideMedicationCodeCreate {
  /**
   * `atc`, `rxnorm`, or the address of either.
   */
  system: string;
  /**
   * The code.
   */
  code: string;
}
/**
 * One page of a list.
 */
export interface InteractionOverridePage {
  /**
   * The entries of this page, in the order asked for.
   *
   * @maxItems 100
   */
  items: InteractionOverride[];
  /**
   * Send it as `cursor` to get the next page; null on the last page.
   */
  next_cursor: string | null;
  /**
   * Whether entries follow this page.
   */
  has_more: boolean;
  /**
   * Entries in the whole list; only when `include_total=true` was asked.
   */
  total?: number;
  minItems?: 0;
}
/**
 * Facts about the patient. A missing one means that its rules are not checked.
 */
export interface InteractionPatientData1 {
  /**
   * Age in years; a fraction for an infant.
   */
  age?: number;
  /**
   * Sex of the patient.
   */
  sex?: 'female' | 'male' | 'other' | 'unknown';
  /**
   * Whether the patient is pregnant.
   */
  pregnant?: boolean;
  /**
   * Whether the patient breastfeeds.
   */
  lactating?: boolean;
  /**
   * Conditions; an empty list says none.
   *
   * @maxItems 200
   */
  conditions?: InteractionCondition[];
  /**
   * Allergies; an empty list says none.
   *
   * @maxItems 100
   */
  allergies?: InteractionAllergy[];
  /**
   * Estimated filtration rate in mL/min/1.73 m².
   */
  egfr?: number;
  /**
   * Child-Pugh class of the liver.
   */
  childPugh?: 'A' | 'B' | 'C';
}
/**
 * The whole list judged.
 */
export interface InteractionSummary1 {
  by_severity: SeverityCounts;
  /**
   * Worst of everything found; `unknown` when something was not judged and nothing worse found.
   */
  highest: 'contraindicated' | 'major' | 'moderate' | 'unknown' | 'minor' | 'none_known';
  /**
   * Findings of any kind worth stopping the prescriber for.
   */
  interruptive: number;
  /**
   * Pairs with an override that still covers their severity.
   */
  overridden: number;
  /**
   * False when anything could not be judged.
   */
  complete: boolean;
}
/**
 * One page of a list.
 */
export interface JobPage {
  /**
   * The entries of this page, in the order asked for.
   *
   * @maxItems 100
   */
  items: Job[];
  /**
   * Send it as `cursor` to get the next page; null on the last page.
   */
  next_cursor: string | null;
  /**
   * Whether entries follow this page.
   */
  has_more: boolean;
  /**
   * Entries in the whole list; only when `include_total=true` was asked.
   */
  total?: number;
  minItems?: 0;
}
/**
 * What became of one operation on a patient.
 */
export interface PatientBulkResult {
  /**
   * Tells results apart.
   */
  kind: 'patient';
  /**
   * Place of the operation in what was sent, from 0.
   */
  index: number;
  /**
   * What was asked; null where that could not be read.
   */
  action: 'create' | 'update' | 'delete' | null;
  /**
   * What became of it. refused: it was not valid as it was sent, and its pointers are in the names of the version it was sent in. failed: it could not be done. not_done: its turn did not come, or what it did was rolled back.
   */
  status: 'succeeded' | 'refused' | 'failed' | 'not_done';
  /**
   * The patient; null where none was created.
   */
  id: string | null;
  /**
   * The patient as it was written; null after a deletion, and once the patient has been deleted.
   */
  data: Patient | null;
  /**
   * Why it was refused or failed; pointers lead into what was sent: `/operations/<index>/…`.
   */
  error: ErrorBody | null;
}
/**
 * The knowledge base as a whole.
 */
export interface KnowledgeBase {
  /**
   * Version of the knowledge base.
   */
  knowledge_version: string;
  /**
   * Version of the medication knowledge.
   */
  medication_knowledge_version: string;
  /**
   * What it holds.
   */
  kinds: {
    /**
     * Kind of entry.
     */
    kind: 'condition' | 'finding' | 'treatment' | 'medication' | 'guideline' | 'red_flag';
    /**
     * How many entries there are.
     */
    count: number;
    /**
     * Where they are listed, below the version.
     */
    path: string;
  }[];
  /**
   * What the knowledge base is and is not.
   */
  disclaimer: string;
}
/**
 * A disease, an injury or a problem.
 */
export interface KnowledgeCondition {
  /**
   * Identifier of the condition.
   */
  id: string;
  /**
   * Name.
   */
  name: string;
  /**
   * Other names.
   */
  synonyms: string[];
  /**
   * ICD-10 codes.
   */
  icd10: string[];
  /**
   * Specialty it belongs to.
   */
  specialty: string;
  /**
   * How soon a patient who has it should be seen.
   */
  urgency: 'emergency' | 'urgent' | 'soon' | 'routine' | 'self_care';
  /**
   * In a sentence.
   */
  summary: string;
  incidence: KnowledgeIncidence;
  /**
   * What is found in it, as the file lists it.
   */
  findings: KnowledgeLikelihood[];
  /**
   * History that makes it likelier.
   */
  risk_factors: KnowledgeLikelihood[];
  /**
   * Usual treatments.
   */
  treatments: KnowledgeReference[];
  /**
   * Guidelines that cover it.
   */
  guidelines: KnowledgeReference[];
  /**
   * Where the knowledge comes from.
   */
  sources: KnowledgeSource[];
  /**
   * Version of the knowledge base.
   */
  knowledge_version: string;
}
/**
 * How often a condition is met, and in whom.
 */
export interface KnowledgeIncidence {
  /**
   * Encounters per 100 000, in primary and emergency care together, that it is the cause of.
   */
  per_100k_encounters: number;
  /**
   * Age bands that differ from the figure for all.
   */
  by_age: {
    /**
     * Age band in years.
     */
    band: string;
    /**
     * How many times as often as the figure for all.
     */
    factor: number;
  }[];
  /**
   * How many times as often as the figure for all.
   */
  by_sex: {
    /**
     * Factor for females.
     */
    female: number;
    /**
     * Factor for males.
     */
    male: number;
  };
  /**
   * How sure the figures are.
   */
  certainty: 'high' | 'moderate' | 'low';
  source: KnowledgeSource;
}
/**
 * How often a finding is present in a condition.
 */
export interface KnowledgeLikelihood {
  /**
   * Identifier of the finding.
   */
  finding_id: string;
  /**
   * Name of the finding.
   */
  name: string;
  /**
   * How often the finding is present in patients with the condition.
   */
  likelihood: number;
  /**
   * How sure the figure is.
   */
  certainty: 'high' | 'moderate' | 'low';
  /**
   * Whether the condition cannot exist without the finding.
   */
  essential: boolean;
}
/**
 * Another entry of the knowledge base.
 */
export interface KnowledgeReference {
  /**
   * Kind of the entry.
   */
  kind:
    'condition' | 'finding' | 'treatment' | 'medication' | 'guideline' | 'red_flag' | 'medication_class' | 'category';
  /**
   * Identifier of the entry.
   */
  id: string;
  /**
   * Name of the entry.
   */
  name: string;
}
/**
 * One page of a list.
 */
export interface KnowledgeConditionPage {
  /**
   * The entries of this page, in the order asked for.
   *
   * @maxItems 100
   */
  items: KnowledgeCondition[];
  /**
   * Send it as `cursor` to get the next page; null on the last page.
   */
  next_cursor: string | null;
  /**
   * Whether entries follow this page.
   */
  has_more: boolean;
  /**
   * Entries in the whole list; only when `include_total=true` was asked.
   */
  total?: number;
  minItems?: 0;
}
/**
 * What can be present or absent in a patient.
 */
export interface KnowledgeFinding {
  /**
   * Identifier of the finding.
   */
  id: string;
  /**
   * Name.
   */
  name: string;
  /**
   * What it is.
   */
  category: 'symptom' | 'sign' | 'test' | 'history' | 'time' | 'vital_sign';
  /**
   * Region of the body, or group.
   */
  region: string;
  /**
   * How often it is present in patients of primary and emergency care.
   */
  base_rate: number;
  /**
   * More general findings that it implies.
   */
  implies: KnowledgeReference[];
  /**
   * Wordings that state it; order and inflection of words do not matter.
   */
  synonyms: string[];
  /**
   * Wordings that state its absence.
   */
  absent_synonyms: string[];
  /**
   * Vital signs from which it is read.
   */
  measurements: KnowledgeMeasurement[];
  /**
   * Version of the knowledge base.
   */
  knowledge_version: string;
}
/**
 * Between which values of a vital sign a finding holds.
 */
export interface KnowledgeMeasurement {
  /**
   * Vital sign.
   */
  sign: 'temperature' | 'systolic' | 'diastolic' | 'heart_rate' | 'respiratory_rate' | 'oxygen_saturation';
  /**
   * Unit of the bounds.
   */
  unit: string;
  /**
   * From this age on.
   */
  age_min_years: number;
  /**
   * Up to this age, exclusive.
   */
  age_max_years: number;
  /**
   * Least value; null for no limit.
   */
  min: number | null;
  /**
   * Largest value, exclusive; null for no limit.
   */
  max: number | null;
}
/**
 * One page of a list.
 */
export interface KnowledgeFindingPage {
  /**
   * The entries of this page, in the order asked for.
   *
   * @maxItems 100
   */
  items: KnowledgeFinding[];
  /**
   * Send it as `cursor` to get the next page; null on the last page.
   */
  next_cursor: string | null;
  /**
   * Whether entries follow this page.
   */
  has_more: boolean;
  /**
   * Entries in the whole list; only when `include_total=true` was asked.
   */
  total?: number;
  minItems?: 0;
}
/**
 * What the knowledge graph is made of.
 */
export interface KnowledgeGraph {
  /**
   * Kinds of entities.
   */
  entity_kinds: {
    /**
     * Kind of entity.
     */
    kind:
      'condition' | 'finding' | 'treatment' | 'medication' | 'guideline' | 'red_flag' | 'medication_class' | 'category';
    /**
     * How many there are.
     */
    count: number;
  }[];
  /**
   * Types of relationships.
   */
  relationship_types: {
    /**
     * Type of relationship.
     */
    type:
      | 'has_finding'
      | 'raises'
      | 'treated_by'
      | 'uses'
      | 'contains'
      | 'contraindicated_in'
      | 'interacts_with'
      | 'covers'
      | 'recommends'
      | 'differential_of'
      | 'raised_by'
      | 'is_a'
      | 'in_class'
      | 'in_category';
    /**
     * What it says.
     */
    meaning: string;
    /**
     * Kinds of the first entity.
     */
    from_kinds: string[];
    /**
     * Kinds of the second entity.
     */
    to_kinds: string[];
    /**
     * How many there are; null where they are worked out when they are asked for.
     */
    count: number | null;
    /**
     * Whether paths follow it unless types are named.
     */
    in_paths: boolean;
  }[];
  /**
   * Version of the knowledge base.
   */
  knowledge_version: string;
  /**
   * What this answer is and is not.
   */
  disclaimer: string;
}
/**
 * Published guidance, summarised.
 */
export interface KnowledgeGuideline {
  /**
   * Identifier of the guideline.
   */
  id: string;
  /**
   * Title of the summary.
   */
  title: string;
  /**
   * Specialty it belongs to.
   */
  specialty: string;
  /**
   * Whom it is for.
   */
  population: string;
  /**
   * In a few sentences, in our own words.
   */
  summary: string;
  /**
   * What should be done.
   */
  recommendations: KnowledgeRecommendation[];
  /**
   * Conditions that it covers.
   */
  conditions: KnowledgeReference[];
  /**
   * Treatments that it speaks of.
   */
  treatments: KnowledgeReference[];
  /**
   * Medications that it names.
   */
  medications: KnowledgeReference[];
  /**
   * What it summarises.
   */
  sources: KnowledgeSource[];
  /**
   * Version of the knowledge base.
   */
  knowledge_version: string;
}
/**
 * One thing that a guideline says should be done.
 */
export interface KnowledgeRecommendation {
  /**
   * What should be done, in our own words.
   */
  text: string;
  /**
   * What it is about.
   */
  topic: 'recognition' | 'diagnosis' | 'treatment' | 'referral' | 'monitoring' | 'prevention' | 'information';
  /**
   * `strong`: nearly everybody should have it; `conditional`: it depends on the patient; `good_practice`: agreed by experts.
   */
  strength: 'strong' | 'conditional' | 'good_practice';
  source: KnowledgeSource;
}
/**
 * One page of a list.
 */
export interface KnowledgeGuidelinePage {
  /**
   * The entries of this page, in the order asked for.
   *
   * @maxItems 100
   */
  items: KnowledgeGuideline[];
  /**
   * Send it as `cursor` to get the next page; null on the last page.
   */
  next_cursor: string | null;
  /**
   * Whether entries follow this page.
   */
  has_more: boolean;
  /**
   * Entries in the whole list; only when `include_total=true` was asked.
   */
  total?: number;
  minItems?: 0;
}
/**
 * Where the words of a search stand.
 */
export interface KnowledgeHighlight {
  /**
   * Part of the entry.
   */
  field: 'name' | 'synonyms' | 'brands' | 'codes' | 'summary' | 'recommendations';
  /**
   * The text, shortened around the words where it is long.
   */
  text: string;
  /**
   * Where the words stand in `text`, from left to right.
   */
  spans: {
    /**
     * First UTF-16 code unit.
     */
    start: number;
    /**
     * The code unit after the last.
     */
    end: number;
  }[];
}
/**
 * One page of a list.
 */
export interface KnowledgeItemPage {
  /**
   * The entries of this page, in the order asked for.
   *
   * @maxItems 100
   */
  items: KnowledgeItem[];
  /**
   * Send it as `cursor` to get the next page; null on the last page.
   */
  next_cursor: string | null;
  /**
   * Whether entries follow this page.
   */
  has_more: boolean;
  /**
   * Entries in the whole list; only when `include_total=true` was asked.
   */
  total?: number;
  minItems?: 0;
}
/**
 * An entry that a search found.
 */
export interface KnowledgeMatch {
  item: KnowledgeItem;
  /**
   * How well it fits; comparable within one search only.
   */
  score: number;
  /**
   * Where the words stand, best place first.
   */
  highlights: KnowledgeHighlight[];
}
/**
 * One page of a list.
 */
export interface KnowledgeMatchPage {
  /**
   * The entries of this page, in the order asked for.
   *
   * @maxItems 100
   */
  items: KnowledgeMatch[];
  /**
   * Send it as `cursor` to get the next page; null on the last page.
   */
  next_cursor: string | null;
  /**
   * Whether entries follow this page.
   */
  has_more: boolean;
  /**
   * Entries in the whole list; only when `include_total=true` was asked.
   */
  total?: number;
  minItems?: 0;
}
/**
 * An active substance, or a product that combines several.
 */
export interface KnowledgeMedication {
  /**
   * Identifier of the medication.
   */
  id: string;
  /**
   * International nonproprietary name.
   */
  name: string;
  /**
   * Other names and salts.
   */
  synonyms: string[];
  /**
   * Trade names.
   */
  brands: string[];
  /**
   * ATC codes.
   */
  atc: string[];
  /**
   * RxNorm concept identifiers.
   */
  rxnorm: string[];
  /**
   * How it is taken.
   */
  routes: string[];
  /**
   * Classes that it belongs to.
   */
  classes: KnowledgeReference[];
  /**
   * What a combination consists of; empty for a single substance.
   */
  substances: KnowledgeReference[];
  /**
   * Whether its interactions were gone through; if not, what is not listed is not known.
   */
  interactions_profiled: boolean;
  /**
   * Version of the medication knowledge, which is kept apart from the rest.
   */
  knowledge_version: string;
}
/**
 * One page of a list.
 */
export interface KnowledgeMedicationPage {
  /**
   * The entries of this page, in the order asked for.
   *
   * @maxItems 100
   */
  items: KnowledgeMedication[];
  /**
   * Send it as `cursor` to get the next page; null on the last page.
   */
  next_cursor: string | null;
  /**
   * Whether entries follow this page.
   */
  has_more: boolean;
  /**
   * Entries in the whole list; only when `include_total=true` was asked.
   */
  total?: number;
  minItems?: 0;
}
/**
 * A rule that finds danger whatever is likely.
 */
export interface KnowledgeRedFlag {
  /**
   * Identifier of the rule.
   */
  id: string;
  /**
   * Name of the danger.
   */
  name: string;
  /**
   * What to do.
   */
  message: string;
  /**
   * How soon.
   */
  urgency: 'emergency' | 'urgent';
  /**
   * Groups of findings; one of every group must be present.
   */
  when: KnowledgeReference[][];
  /**
   * Findings that must not be present.
   */
  unless: KnowledgeReference[];
  /**
   * From this age on; null for any.
   */
  age_min_years: number | null;
  /**
   * Up to this age; null for any.
   */
  age_max_years: number | null;
  /**
   * Only for this sex; null for all.
   */
  sex: 'female' | 'male' | null;
  source: KnowledgeSource;
  /**
   * Version of the knowledge base.
   */
  knowledge_version: string;
}
/**
 * One page of a list.
 */
export interface KnowledgeRedFlagPage {
  /**
   * The entries of this page, in the order asked for.
   *
   * @maxItems 100
   */
  items: KnowledgeRedFlag[];
  /**
   * Send it as `cursor` to get the next page; null on the last page.
   */
  next_cursor: string | null;
  /**
   * Whether entries follow this page.
   */
  has_more: boolean;
  /**
   * Entries in the whole list; only when `include_total=true` was asked.
   */
  total?: number;
  minItems?: 0;
}
/**
 * An entry that has to do with another.
 */
export interface KnowledgeRelated {
  item: KnowledgeItem;
  /**
   * How it is related, as a word of the knowledge graph.
   */
  relation: string;
  /**
   * How closely.
   */
  score: number;
  /**
   * Why, in words.
   */
  reason: string;
}
/**
 * One page of a list.
 */
export interface KnowledgeRelatedPage {
  /**
   * The entries of this page, in the order asked for.
   *
   * @maxItems 100
   */
  items: KnowledgeRelated[];
  /**
   * Send it as `cursor` to get the next page; null on the last page.
   */
  next_cursor: string | null;
  /**
   * Whether entries follow this page.
   */
  has_more: boolean;
  /**
   * Entries in the whole list; only when `include_total=true` was asked.
   */
  total?: number;
  minItems?: 0;
}
/**
 * What is done about conditions.
 */
export interface KnowledgeTreatment {
  /**
   * Identifier of the treatment.
   */
  id: string;
  /**
   * Name.
   */
  name: string;
  /**
   * Kind of treatment.
   */
  kind: 'medication' | 'procedure' | 'lifestyle' | 'referral' | 'monitoring' | 'supportive';
  /**
   * When and how.
   */
  notes: string | null;
  /**
   * Findings that speak against it.
   */
  contraindications: KnowledgeReference[];
  /**
   * Medications and classes of them that it is given as; examples, where a class is large.
   */
  uses: KnowledgeReference[];
  /**
   * Conditions that it is usual for.
   */
  conditions: KnowledgeReference[];
  /**
   * Version of the knowledge base.
   */
  knowledge_version: string;
}
/**
 * One page of a list.
 */
export interface KnowledgeTreatmentPage {
  /**
   * The entries of this page, in the order asked for.
   *
   * @maxItems 100
   */
  items: KnowledgeTreatment[];
  /**
   * Send it as `cursor` to get the next page; null on the last page.
   */
  next_cursor: string | null;
  /**
   * Whether entries follow this page.
   */
  has_more: boolean;
  /**
   * Entries in the whole list; only when `include_total=true` was asked.
   */
  total?: number;
  minItems?: 0;
}
/**
 * A medicine that is or was taken.
 */
export interface MedicationRecordCreate {
  /**
   * Record identifier.
   */
  id?: {
    [k: string]: unknown;
  };
  /**
   * The patient it is about.
   */
  patient_id?: {
    [k: string]: unknown;
  };
  /**
   * Type of the record; it never changes.
   */
  type: 'medication';
  /**
   * State. `entered_in_error` says that it should never have been there.
   */
  status: 'planned' | 'active' | 'on_hold' | 'completed' | 'stopped' | 'entered_in_error';
  code: CodingCreate3;
  /**
   * When it began, was measured, was done or was written; null when not known.
   */
  effective_at?: string | null;
  /**
   * Who stated it.
   */
  author?: string | null;
  /**
   * How much and how often, in words.
   */
  dosage?: string | null;
  /**
   * How it is taken.
   */
  route?: string | null;
  /**
   * Amount of one dose.
   */
  dose_value?: string | null;
  /**
   * UCUM unit of the dose.
   */
  dose_unit?: string | null;
  /**
   * What it is taken for.
   */
  indication?: CodingCreate1 | null;
  /**
   * When it was last taken.
   */
  ended_at?: string | null;
  /**
   * When the record was created.
   */
  created_at?: {
    [k: string]: unknown;
  };
  /**
   * When the record was last changed.
   */
  updated_at?: {
    [k: string]: unknown;
  };
}
/**
 * A code of a published code system.
 */
export interface CodingCreate3 {
  /**
   * Address of the code system, as HL7 FHIR gives it.
   */
  system: string;
  /**
   * The code. Codes of LOINC, SNOMED CT, ICD-10, ATC and RxNorm are checked for their form.
   */
  code: string;
  /**
   * What the code means, in words.
   */
  display?: string | null;
}
/**
 * Something measured or seen.
 */
export interface ObservationRecordCreate {
  /**
   * Record identifier.
   */
  id?: {
    [k: string]: unknown;
  };
  /**
   * The patient it is about.
   */
  patient_id?: {
    [k: string]: unknown;
  };
  /**
   * Type of the record; it never changes.
   */
  type: 'observation';
  /**
   * State. `entered_in_error` says that it should never have been there.
   */
  status: 'registered' | 'preliminary' | 'final' | 'amended' | 'corrected' | 'cancelled' | 'entered_in_error';
  code: CodingCreate4;
  /**
   * When it began, was measured, was done or was written; null when not known.
   */
  effective_at?: string | null;
  /**
   * Who stated it.
   */
  author?: string | null;
  /**
   * A number when there is a unit, words otherwise; null when the components have the values.
   */
  value?: string | null;
  /**
   * UCUM unit of the value.
   */
  unit?: string | null;
  /**
   * How the true value relates to `value`.
   */
  comparator?: '<' | '<=' | '>=' | '>' | null;
  /**
   * The value in the unit that all values of this code are compared in; null where the code has none.
   */
  canonical?: {
    [k: string]: unknown;
  };
  /**
   * What the value means.
   */
  interpretation?: 'critical_low' | 'low' | 'normal' | 'high' | 'critical_high' | 'abnormal' | null;
  /**
   * Between which values it is usual.
   */
  reference_range?: ReferenceRangeCreate | null;
  /**
   * Values that belong together; empty for a single value.
   *
   * @maxItems 50
   */
  components?: ObservationComponentCreate[] | null;
  /**
   * When the record was created.
   */
  created_at?: {
    [k: string]: unknown;
  };
  /**
   * When the record was last changed.
   */
  updated_at?: {
    [k: string]: unknown;
  };
}
/**
 * A code of a published code system.
 */
export interface CodingCreate4 {
  /**
   * Address of the code system, as HL7 FHIR gives it.
   */
  system: string;
  /**
   * The code. Codes of LOINC, SNOMED CT, ICD-10, ATC and RxNorm are checked for their form.
   */
  code: string;
  /**
   * What the code means, in words.
   */
  display?: string | null;
}
/**
 * Between which values a measurement is usual.
 */
export interface ReferenceRangeCreate {
  /**
   * Lower end, in the unit of the value.
   */
  low?: string | null;
  /**
   * Upper end, in the unit of the value.
   */
  high?: string | null;
}
/**
 * One of several values of an observation.
 */
export interface ObservationComponentCreate {
  /**
   * Address of the code system; null means that of the observation’s own code.
   */
  system?: string | null;
  /**
   * What was measured.
   */
  code: string;
  /**
   * What the code means, in words.
   */
  display?: string | null;
  /**
   * A number when there is a unit, words otherwise.
   */
  value: string;
  /**
   * UCUM unit.
   */
  unit?: string | null;
  /**
   * The value in the unit that all values of this code are compared in; null where the code has none.
   */
  canonical?: {
    [k: string]: unknown;
  };
}
/**
 * Something done to the patient.
 */
export interface ProcedureRecordCreate {
  /**
   * Record identifier.
   */
  id?: {
    [k: string]: unknown;
  };
  /**
   * The patient it is about.
   */
  patient_id?: {
    [k: string]: unknown;
  };
  /**
   * Type of the record; it never changes.
   */
  type: 'procedure';
  /**
   * State. `entered_in_error` says that it should never have been there.
   */
  status: 'planned' | 'in_progress' | 'completed' | 'stopped' | 'not_done' | 'entered_in_error';
  code: CodingCreate5;
  /**
   * When it began, was measured, was done or was written; null when not known.
   */
  effective_at?: string | null;
  /**
   * Who stated it.
   */
  author?: string | null;
  /**
   * How it went.
   */
  outcome?: string | null;
  /**
   * Where on the body.
   */
  body_site?: CodingCreate1 | null;
  /**
   * When it ended.
   */
  ended_at?: string | null;
  /**
   * When the record was created.
   */
  created_at?: {
    [k: string]: unknown;
  };
  /**
   * When the record was last changed.
   */
  updated_at?: {
    [k: string]: unknown;
  };
}
/**
 * A code of a published code system.
 */
export interface CodingCreate5 {
  /**
   * Address of the code system, as HL7 FHIR gives it.
   */
  system: string;
  /**
   * The code. Codes of LOINC, SNOMED CT, ICD-10, ATC and RxNorm are checked for their form.
   */
  code: string;
  /**
   * What the code means, in words.
   */
  display?: string | null;
}
/**
 * Words of somebody who cares for the patient.
 */
export interface NoteRecordCreate {
  /**
   * Record identifier.
   */
  id?: {
    [k: string]: unknown;
  };
  /**
   * The patient it is about.
   */
  patient_id?: {
    [k: string]: unknown;
  };
  /**
   * Type of the record; it never changes.
   */
  type: 'note';
  /**
   * State. `entered_in_error` says that it should never have been there.
   */
  status: 'draft' | 'final' | 'amended' | 'entered_in_error';
  /**
   * Kind of note, if it is coded.
   */
  code?: CodingCreate1 | null;
  /**
   * When it began, was measured, was done or was written; null when not known.
   */
  effective_at?: string | null;
  /**
   * Who stated it.
   */
  author?: string | null;
  /**
   * Title.
   */
  title?: string | null;
  /**
   * The words.
   */
  text: string;
  /**
   * When the record was created.
   */
  created_at?: {
    [k: string]: unknown;
  };
  /**
   * When the record was last changed.
   */
  updated_at?: {
    [k: string]: unknown;
  };
}
/**
 * One page of a list.
 */
export interface MedicalRecordPage {
  /**
   * The entries of this page, in the order asked for.
   *
   * @maxItems 100
   */
  items: MedicalRecord[];
  /**
   * Send it as `cursor` to get the next page; null on the last page.
   */
  next_cursor: string | null;
  /**
   * Whether entries follow this page.
   */
  has_more: boolean;
  /**
   * Entries in the whole list; only when `include_total=true` was asked.
   */
  total?: number;
  minItems?: 0;
}
/**
 * A medicine that is or was taken.
 */
export interface MedicationRecordPatch {
  /**
   * Record identifier.
   */
  id?: {
    [k: string]: unknown;
  };
  /**
   * The patient it is about.
   */
  patient_id?: {
    [k: string]: unknown;
  };
  /**
   * Type of the record; it never changes.
   */
  type?: 'medication';
  /**
   * State. `entered_in_error` says that it should never have been there.
   */
  status?: 'planned' | 'active' | 'on_hold' | 'completed' | 'stopped' | 'entered_in_error';
  code?: CodingPatch3;
  /**
   * When it began, was measured, was done or was written; null when not known.
   */
  effective_at?: string | null;
  /**
   * Who stated it.
   */
  author?: string | null;
  /**
   * How much and how often, in words.
   */
  dosage?: string | null;
  /**
   * How it is taken.
   */
  route?: string | null;
  /**
   * Amount of one dose.
   */
  dose_value?: string | null;
  /**
   * UCUM unit of the dose.
   */
  dose_unit?: string | null;
  /**
   * What it is taken for.
   */
  indication?: CodingPatch1 | null;
  /**
   * When it was last taken.
   */
  ended_at?: string | null;
  /**
   * When the record was created.
   */
  created_at?: {
    [k: string]: unknown;
  };
  /**
   * When the record was last changed.
   */
  updated_at?: {
    [k: string]: unknown;
  };
}
/**
 * A code of a published code system.
 */
export interface CodingPatch3 {
  /**
   * Address of the code system, as HL7 FHIR gives it.
   */
  system?: string;
  /**
   * The code. Codes of LOINC, SNOMED CT, ICD-10, ATC and RxNorm are checked for their form.
   */
  code?: string;
  /**
   * What the code means, in words.
   */
  display?: string | null;
}
/**
 * Something measured or seen.
 */
export interface ObservationRecordPatch {
  /**
   * Record identifier.
   */
  id?: {
    [k: string]: unknown;
  };
  /**
   * The patient it is about.
   */
  patient_id?: {
    [k: string]: unknown;
  };
  /**
   * Type of the record; it never changes.
   */
  type?: 'observation';
  /**
   * State. `entered_in_error` says that it should never have been there.
   */
  status?: 'registered' | 'preliminary' | 'final' | 'amended' | 'corrected' | 'cancelled' | 'entered_in_error';
  code?: CodingPatch4;
  /**
   * When it began, was measured, was done or was written; null when not known.
   */
  effective_at?: string | null;
  /**
   * Who stated it.
   */
  author?: string | null;
  /**
   * A number when there is a unit, words otherwise; null when the components have the values.
   */
  value?: string | null;
  /**
   * UCUM unit of the value.
   */
  unit?: string | null;
  /**
   * How the true value relates to `value`.
   */
  comparator?: '<' | '<=' | '>=' | '>' | null;
  /**
   * The value in the unit that all values of this code are compared in; null where the code has none.
   */
  canonical?: {
    [k: string]: unknown;
  };
  /**
   * What the value means.
   */
  interpretation?: 'critical_low' | 'low' | 'normal' | 'high' | 'critical_high' | 'abnormal' | null;
  /**
   * Between which values it is usual.
   */
  reference_range?: ReferenceRangePatch | null;
  /**
   * Values that belong together; empty for a single value.
   *
   * @maxItems 50
   */
  components?: ObservationComponentCreate[] | null;
  /**
   * When the record was created.
   */
  created_at?: {
    [k: string]: unknown;
  };
  /**
   * When the record was last changed.
   */
  updated_at?: {
    [k: string]: unknown;
  };
}
/**
 * A code of a published code system.
 */
export interface CodingPatch4 {
  /**
   * Address of the code system, as HL7 FHIR gives it.
   */
  system?: string;
  /**
   * The code. Codes of LOINC, SNOMED CT, ICD-10, ATC and RxNorm are checked for their form.
   */
  code?: string;
  /**
   * What the code means, in words.
   */
  display?: string | null;
}
/**
 * Between which values a measurement is usual.
 */
export interface ReferenceRangePatch {
  /**
   * Lower end, in the unit of the value.
   */
  low?: string | null;
  /**
   * Upper end, in the unit of the value.
   */
  high?: string | null;
}
/**
 * Something done to the patient.
 */
export interface ProcedureRecordPatch {
  /**
   * Record identifier.
   */
  id?: {
    [k: string]: unknown;
  };
  /**
   * The patient it is about.
   */
  patient_id?: {
    [k: string]: unknown;
  };
  /**
   * Type of the record; it never changes.
   */
  type?: 'procedure';
  /**
   * State. `entered_in_error` says that it should never have been there.
   */
  status?: 'planned' | 'in_progress' | 'completed' | 'stopped' | 'not_done' | 'entered_in_error';
  code?: CodingPatch5;
  /**
   * When it began, was measured, was done or was written; null when not known.
   */
  effective_at?: string | null;
  /**
   * Who stated it.
   */
  author?: string | null;
  /**
   * How it went.
   */
  outcome?: string | null;
  /**
   * Where on the body.
   */
  body_site?: CodingPatch1 | null;
  /**
   * When it ended.
   */
  ended_at?: string | null;
  /**
   * When the record was created.
   */
  created_at?: {
    [k: string]: unknown;
  };
  /**
   * When the record was last changed.
   */
  updated_at?: {
    [k: string]: unknown;
  };
}
/**
 * A code of a published code system.
 */
export interface CodingPatch5 {
  /**
   * Address of the code system, as HL7 FHIR gives it.
   */
  system?: string;
  /**
   * The code. Codes of LOINC, SNOMED CT, ICD-10, ATC and RxNorm are checked for their form.
   */
  code?: string;
  /**
   * What the code means, in words.
   */
  display?: string | null;
}
/**
 * Words of somebody who cares for the patient.
 */
export interface NoteRecordPatch {
  /**
   * Record identifier.
   */
  id?: {
    [k: string]: unknown;
  };
  /**
   * The patient it is about.
   */
  patient_id?: {
    [k: string]: unknown;
  };
  /**
   * Type of the record; it never changes.
   */
  type?: 'note';
  /**
   * State. `entered_in_error` says that it should never have been there.
   */
  status?: 'draft' | 'final' | 'amended' | 'entered_in_error';
  /**
   * Kind of note, if it is coded.
   */
  code?: CodingPatch1 | null;
  /**
   * When it began, was measured, was done or was written; null when not known.
   */
  effective_at?: string | null;
  /**
   * Who stated it.
   */
  author?: string | null;
  /**
   * Title.
   */
  title?: string | null;
  /**
   * The words.
   */
  text?: string;
  /**
   * When the record was created.
   */
  created_at?: {
    [k: string]: unknown;
  };
  /**
   * When the record was last changed.
   */
  updated_at?: {
    [k: string]: unknown;
  };
}
/**
 * Medications as they were understood.
 */
export interface MedicationResolution {
  /**
   * One entry for each medication, in its order.
   */
  medications: ResolvedMedication1[];
  /**
   * Version of the knowledge base.
   */
  knowledge_version: string;
  /**
   * Version of the engine.
   */
  model_version: string;
  /**
   * What this result is and is not.
   */
  disclaimer: string;
}
/**
 * How one medication was understood.
 */
export interface ResolvedMedication1 {
  /**
   * The name as it was sent or recorded.
   */
  name: string | null;
  /**
   * The code as it was sent or recorded.
   */
  code: MedicationCode | null;
  /**
   * Whether it was identified; pairs with anything else are `unknown`.
   */
  status: 'resolved' | 'ambiguous' | 'unresolved';
  /**
   * How it was identified; `spelling` means that a misspelling was assumed.
   */
  match: 'code' | 'name' | 'synonym' | 'brand' | 'salt' | 'combination' | 'spelling' | null;
  /**
   * Its active substances.
   */
  substances: MedicationSubstance[];
  /**
   * What could be meant.
   *
   * @maxItems 5
   */
  suggestions:
    | []
    | [MedicationSuggestion]
    | [MedicationSuggestion, MedicationSuggestion]
    | [MedicationSuggestion, MedicationSuggestion, MedicationSuggestion]
    | [MedicationSuggestion, MedicationSuggestion, MedicationSuggestion, MedicationSuggestion]
    | [MedicationSuggestion, MedicationSuggestion, MedicationSuggestion, MedicationSuggestion, MedicationSuggestion];
  /**
   * How it is taken, as understood.
   */
  route: string | null;
}
/**
 * Medications to identify.
 */
export interface MedicationResolveRequest {
  /**
   * The medications to identify.
   *
   * @minItems 1
   * @maxItems 100
   */
  medications: [MedicationInput, ...MedicationInput[]];
}
/**
 * The values of an observation by month.
 */
export interface ObservationTrend {
  /**
   * Address of the code system.
   */
  system: string;
  /**
   * The observation.
   */
  code: string;
  /**
   * UCUM unit of the values; values in other units are left out. Null when there are no values.
   */
  unit: string | null;
  /**
   * Months, oldest first.
   *
   * @maxItems 120
   */
  points: TrendPoint[];
  /**
   * Day the answer speaks of, UTC.
   */
  as_of: string;
  /**
   * Time zone in which days and months begin.
   */
  time_zone: 'UTC';
  disclosure_control: DisclosureControl;
}
/**
 * The values of an observation in one month.
 */
export interface TrendPoint {
  /**
   * The month, UTC.
   */
  month: string;
  /**
   * People of whom a value was measured. Rounded; null when suppressed.
   */
  people: number | null;
  /**
   * Mean of each person’s mean. Three significant digits; null when the month is suppressed.
   */
  mean: number | null;
  /**
   * A quarter of the people lie below. Three significant digits; null when the month is suppressed.
   */
  p25: number | null;
  /**
   * Half of the people lie below. Three significant digits; null when the month is suppressed.
   */
  median: number | null;
  /**
   * Three quarters of the people lie below. Three significant digits; null when the month is suppressed.
   */
  p75: number | null;
}
/**
 * Texts to read: the input of an analysis, with at least one text.
 */
export interface ParseRequest {
  patientData: ClinicalData;
}
/**
 * A finding read in a text.
 */
export interface ParsedFinding {
  /**
   * Finding in the knowledge base.
   */
  finding_id: string;
  /**
   * Name of the finding.
   */
  name: string;
  /**
   * What the words speak of: what is wrong now, the past, the way of life, or relatives.
   */
  aspect: 'complaint' | 'history' | 'habit' | 'family_history';
  /**
   * False when the text says that it is absent.
   */
  present: boolean;
  /**
   * Now; on record and perhaps still; formerly; or not there and only feared or to be watched for.
   */
  temporality?: 'recent' | 'historical' | 'past' | 'hypothetical';
  /**
   * Who has it: the patient, or somebody else.
   */
  experiencer?: 'patient' | 'other';
  /**
   * The word that denies it; null where nothing does, or the finding is itself put as an absence.
   */
  negation: TextSpan | null;
  span: TextSpan;
  /**
   * What is said about it, in the order of the text.
   */
  qualifiers: Qualifier[];
}
/**
 * Words of one of the texts that were sent.
 */
export interface TextSpan {
  /**
   * The member of `patientData` that holds the text, in the names of the version asked for.
   */
  field: 'symptoms' | 'history' | 'medications' | 'socialHistory' | 'familyHistory';
  /**
   * Position of the text in its list; null where the member is a single text.
   */
  index: number | null;
  /**
   * Where the words begin, in UTF-16 code units.
   */
  start: number;
  /**
   * Where they end, in UTF-16 code units; not included.
   */
  end: number;
  /**
   * The words.
   */
  text: string;
}
/**
 * What the words say about a finding beside that it is there.
 */
export interface Qualifier {
  /**
   * What it is about.
   */
  kind: 'duration' | 'onset' | 'severity' | 'course' | 'laterality' | 'body_site' | 'trigger' | 'relief';
  /**
   * The value. Onset: sudden, gradual. Severity: mild, moderate, severe. Course: worsening, improving, constant, intermittent, recurrent. Laterality: left, right, both. Duration, body site, trigger and relief: in words.
   */
  value: string;
  /**
   * Duration in hours; severity from 0 to 10 where it was told so; null otherwise.
   */
  number: number | null;
  /**
   * False when it is denied: "not relieved by rest".
   */
  present: boolean;
  span: TextSpan;
}
/**
 * A medicine named in a text.
 */
export interface ParsedMedication {
  /**
   * Name of the medicine: its active substances.
   */
  name: string;
  /**
   * Its active substances.
   */
  substance_ids: string[];
  /**
   * False when the text says that it is not taken.
   */
  present: boolean;
  span: TextSpan;
}
/**
 * What was read in texts.
 */
export interface ParsedText {
  /**
   * What was recognised, in the order of the texts.
   */
  findings: ParsedFinding[];
  /**
   * Medicines that are named.
   */
  medications: ParsedMedication[];
  /**
   * Vital signs that are written in words.
   */
  vital_signs: ParsedVitalSign[];
  /**
   * What was recognised and belongs to no finding that was.
   */
  qualifiers: Qualifier[];
  /**
   * How long the complaint has lasted; null where no text says so.
   */
  duration_hours: number | null;
  /**
   * The age a text states, in years.
   */
  age: number | null;
  /**
   * The sex a text states.
   */
  sex: 'female' | 'male' | null;
  /**
   * What was not recognised; nothing is dropped.
   */
  unrecognized: TextSpan[];
  /**
   * Share of the words with a meaning of their own that led to a finding.
   */
  coverage: number;
  /**
   * Version of the inference engine.
   */
  model_version: string;
  /**
   * Version of the knowledge base.
   */
  knowledge_version: string;
  /**
   * What this result is and is not.
   */
  disclaimer: string;
}
/**
 * A vital sign written in a text.
 */
export interface ParsedVitalSign {
  /**
   * What was measured.
   */
  sign: 'temperature' | 'systolic' | 'diastolic' | 'heart_rate' | 'respiratory_rate' | 'oxygen_saturation';
  /**
   * The value in the unit beside it, whatever the text had.
   */
  value: number;
  /**
   * The unit.
   */
  unit: string;
  span: TextSpan;
}
/**
 * What became of a bulk request on patients.
 */
export interface PatientBulk {
  /**
   * Whether the operations stand and fall together.
   */
  mode: 'independent' | 'atomic';
  /**
   * Operations that were sent.
   */
  total: number;
  /**
   * Operations that are done.
   */
  succeeded: number;
  /**
   * Operations that were refused or failed.
   */
  failed: number;
  /**
   * Operations that were rolled back, or are still to be done.
   */
  not_done: number;
  /**
   * The job that carries the operations out; null where they were few (100) and are done.
   */
  job: Job | null;
  /**
   * What became of each operation, in their order; empty where a job carries them out.
   */
  results: PatientBulkResult[];
}
/**
 * Operations on patients.
 */
export interface PatientBulkRequest {
  /**
   * independent: each operation by itself. atomic: all of them or, when one cannot be done, none; at most 1000.
   */
  mode?: 'independent' | 'atomic';
  /**
   * The operations, carried out in this order.
   *
   * @minItems 1
   * @maxItems 10000
   */
  operations: [PatientOperation, ...PatientOperation[]];
}
/**
 * Creates a patient.
 */
export interface PatientCreateOperation {
  /**
   * What to do.
   */
  action: 'create';
  data: PatientCreate;
}
/**
 * A person whose care the account looks after.
 */
export interface PatientCreate {
  /**
   * Patient identifier.
   */
  id?: {
    [k: string]: unknown;
  };
  /**
   * Patient name.
   */
  name: string;
  /**
   * Date of birth, YYYY-MM-DD; not in the future.
   */
  dob: string;
  /**
   * Sex recorded for clinical use.
   */
  sex?: 'female' | 'male' | 'other' | 'unknown' | null;
  /**
   * Gender identity in the patient’s own words.
   */
  gender_identity?: string | null;
  /**
   * How to reach the patient.
   */
  contact_info?: {
    /**
     * Email address.
     */
    email?: string | null;
    /**
     * Telephone number as given.
     */
    phone?: string | null;
    /**
     * How the patient wishes to be reached.
     */
    preferred_method?: 'email' | 'phone' | 'sms' | 'mail' | 'none' | null;
  } | null;
  /**
   * When the record was created.
   */
  created_at?: {
    [k: string]: unknown;
  };
  /**
   * When the record was last changed.
   */
  updated_at?: {
    [k: string]: unknown;
  };
}
/**
 * Updates parts of a patient: a merge patch.
 */
export interface PatientUpdateOperation {
  /**
   * What to do.
   */
  action: 'update';
  /**
   * The patient.
   */
  id: string;
  data: PatientPatch;
  /**
   * ETag of the object as it was read: where it has changed since, the operation fails with `conflict`.
   */
  if_match?: string | null;
}
/**
 * A person whose care the account looks after.
 */
export interface PatientPatch {
  /**
   * Patient identifier.
   */
  id?: {
    [k: string]: unknown;
  };
  /**
   * Patient name.
   */
  name?: string;
  /**
   * Date of birth, YYYY-MM-DD; not in the future.
   */
  dob?: string;
  /**
   * Sex recorded for clinical use.
   */
  sex?: 'female' | 'male' | 'other' | 'unknown' | null;
  /**
   * Gender identity in the patient’s own words.
   */
  gender_identity?: string | null;
  /**
   * How to reach the patient.
   */
  contact_info?: {
    /**
     * Email address.
     */
    email?: string | null;
    /**
     * Telephone number as given.
     */
    phone?: string | null;
    /**
     * How the patient wishes to be reached.
     */
    preferred_method?: 'email' | 'phone' | 'sms' | 'mail' | 'none' | null;
  } | null;
  /**
   * When the record was created.
   */
  created_at?: {
    [k: string]: unknown;
  };
  /**
   * When the record was last changed.
   */
  updated_at?: {
    [k: string]: unknown;
  };
}
/**
 * Deletes a patient; it can be restored.
 */
export interface PatientDeleteOperation {
  /**
   * What to do.
   */
  action: 'delete';
  /**
   * The patient.
   */
  id: string;
  /**
   * ETag of the object as it was read: where it has changed since, the operation fails with `conflict`.
   */
  if_match?: string | null;
}
/**
 * One write to a patient.
 */
export interface PatientChange {
  /**
   * Number of the state that the write led to, from 1.
   */
  revision: number;
  /**
   * What was done.
   */
  action: 'created' | 'updated' | 'deleted' | 'restored';
  /**
   * When it was done.
   */
  changed_at: string;
  /**
   * Identifier of the API key that did it; null for data that came with the account.
   */
  changed_by: string | null;
  /**
   * The fields that got another value, in the names of the version asked for.
   *
   * Items: Path of a field.
   */
  changed_fields: string[];
}
/**
 * One page of a list.
 */
export interface PatientChangePage {
  /**
   * The entries of this page, in the order asked for.
   *
   * @maxItems 100
   */
  items: PatientChange[];
  /**
   * Send it as `cursor` to get the next page; null on the last page.
   */
  next_cursor: string | null;
  /**
   * Whether entries follow this page.
   */
  has_more: boolean;
  /**
   * Entries in the whole list; only when `include_total=true` was asked.
   */
  total?: number;
  minItems?: 0;
}
/**
 * What the graph knows around a patient’s records.
 */
export interface PatientGraph {
  /**
   * The patient.
   */
  patient_id: string;
  /**
   * Records that stand for entities.
   */
  recognized: GraphRecognized[];
  /**
   * Records that could not be matched: nothing below speaks of them.
   */
  unrecognized: GraphUnrecognized[];
  /**
   * The patient’s own entities first, then what lies beside them.
   *
   * @maxItems 500
   */
  entities: KnowledgeItem[];
  /**
   * What relates the entities to each other.
   */
  relationships: GraphRelationship[];
  /**
   * Whether something was left out because of `limit` or the number of records.
   */
  truncated: boolean;
  /**
   * Version of the knowledge base.
   */
  knowledge_version: string;
  /**
   * What this answer is and is not.
   */
  disclaimer: string;
}
/**
 * A patient that a search found.
 */
export interface PatientMatch {
  patient: Patient;
  /**
   * How well it fits: whole words of the name before beginnings, parts of words and contact data.
   */
  score: number;
}
/**
 * One page of a list.
 */
export interface PatientMatchPage {
  /**
   * The entries of this page, in the order asked for.
   *
   * @maxItems 100
   */
  items: PatientMatch[];
  /**
   * Send it as `cursor` to get the next page; null on the last page.
   */
  next_cursor: string | null;
  /**
   * Whether entries follow this page.
   */
  has_more: boolean;
  /**
   * Entries in the whole list; only when `include_total=true` was asked.
   */
  total?: number;
  minItems?: 0;
}
/**
 * One page of a list.
 */
export interface PatientPage {
  /**
   * The entries of this page, in the order asked for.
   *
   * @maxItems 100
   */
  items: Patient[];
  /**
   * Send it as `cursor` to get the next page; null on the last page.
   */
  next_cursor: string | null;
  /**
   * Whether entries follow this page.
   */
  has_more: boolean;
  /**
   * Entries in the whole list; only when `include_total=true` was asked.
   */
  total?: number;
  minItems?: 0;
}
/**
 * A person whose care the account looks after.
 */
export interface PatientReplace {
  /**
   * Patient identifier.
   */
  id?: {
    [k: string]: unknown;
  };
  /**
   * Patient name.
   */
  name: string;
  /**
   * Date of birth, YYYY-MM-DD; not in the future.
   */
  dob: string;
  /**
   * Sex recorded for clinical use.
   */
  sex?: 'female' | 'male' | 'other' | 'unknown' | null;
  /**
   * Gender identity in the patient’s own words.
   */
  gender_identity?: string | null;
  /**
   * How to reach the patient.
   */
  contact_info?: {
    /**
     * Email address.
     */
    email?: string | null;
    /**
     * Telephone number as given.
     */
    phone?: string | null;
    /**
     * How the patient wishes to be reached.
     */
    preferred_method?: 'email' | 'phone' | 'sms' | 'mail' | 'none' | null;
  } | null;
  /**
   * When the record was created.
   */
  created_at?: {
    [k: string]: unknown;
  };
  /**
   * When the record was last changed.
   */
  updated_at?: {
    [k: string]: unknown;
  };
}
/**
 * Prevalence at the end of a period.
 */
export interface PrevalencePoint {
  /**
   * The period: `2023`, `2023-Q4` or `2023-10`.
   */
  period: string;
  /**
   * First day, UTC.
   */
  starts_on: string;
  /**
   * Last day, UTC.
   */
  ends_on: string;
  /**
   * People born by the end of the period. Rounded; null when suppressed.
   */
  people: number | null;
  /**
   * Those of them in whom the condition had begun by then. Rounded; null when suppressed.
   */
  cases: number | null;
  /**
   * Cases per 1,000 people. Worked out from the rounded numbers; null when one of them is suppressed.
   */
  per_1000: number | null;
}
/**
 * Prevalence of a condition over time.
 */
export interface PrevalenceSeries {
  /**
   * Address of the code system; null where the code was looked for in every one.
   */
  system: string | null;
  /**
   * The code asked for; codes that begin with it count as well.
   */
  code: string;
  /**
   * Length of a period.
   */
  interval: 'month' | 'quarter' | 'year';
  /**
   * What counts as a case.
   */
  definition: string;
  /**
   * Periods, oldest first.
   *
   * @maxItems 120
   */
  points: PrevalencePoint[];
  /**
   * Day the answer speaks of, UTC.
   */
  as_of: string;
  /**
   * Time zone in which days and months begin.
   */
  time_zone: 'UTC';
  disclosure_control: DisclosureControl;
}
/**
 * A published measure of the quality of care.
 */
export interface QualityMeasure {
  /**
   * Name of the measure.
   */
  id: string;
  /**
   * The measure in words.
   */
  title: string;
  /**
   * Who is looked at.
   */
  denominator: string;
  /**
   * Who of them fulfils the measure.
   */
  numerator: string;
  /**
   * Who is left out.
   */
  exclusions: string;
  /**
   * Which way is better.
   */
  better: 'higher' | 'lower';
  source: AnalyticsSource;
}
/**
 * One page of a list.
 */
export interface QualityMeasurePage {
  /**
   * The entries of this page, in the order asked for.
   *
   * @maxItems 100
   */
  items: QualityMeasure[];
  /**
   * Send it as `cursor` to get the next page; null on the last page.
   */
  next_cursor: string | null;
  /**
   * Whether entries follow this page.
   */
  has_more: boolean;
  /**
   * Entries in the whole list; only when `include_total=true` was asked.
   */
  total?: number;
  minItems?: 0;
}
/**
 * What a quality measure found.
 */
export interface QualityMeasureResult {
  measure: QualityMeasure;
  /**
   * The cohort it is limited to; null for all patients of the account.
   */
  cohort_id: string | null;
  /**
   * First day of the twelve months looked at, UTC.
   */
  period_starts_on: string;
  /**
   * Last day of the twelve months looked at, UTC.
   */
  period_ends_on: string;
  /**
   * People looked at, without those left out. Rounded; null when suppressed.
   */
  denominator: number | null;
  /**
   * Those of them who fulfil the measure. Rounded; null when suppressed.
   */
  numerator: number | null;
  /**
   * People left out. Rounded; null when suppressed.
   */
  excluded: number | null;
  /**
   * Numerator by denominator, from 0 to 1. Worked out from the rounded numbers; null when one of them is suppressed.
   */
  rate: number | null;
  /**
   * Day the answer speaks of, UTC.
   */
  as_of: string;
  /**
   * Time zone in which days and months begin.
   */
  time_zone: 'UTC';
  disclosure_control: DisclosureControl;
}
/**
 * A medical record as it was after one write.
 */
export interface RecordVersion {
  /**
   * Number of the state, from 1.
   */
  revision: number;
  /**
   * What was done.
   */
  action: 'created' | 'corrected' | 'deleted' | 'restored';
  /**
   * When it was done.
   */
  changed_at: string;
  /**
   * Identifier of the API key that did it; null for data that came with the account.
   */
  changed_by: string | null;
  /**
   * The fields that got another value, in the names of the version asked for.
   *
   * Items: Path of a field.
   */
  changed_fields: string[];
  record: MedicalRecord;
}
/**
 * One page of a list.
 */
export interface RecordVersionPage {
  /**
   * The entries of this page, in the order asked for.
   *
   * @maxItems 100
   */
  items: RecordVersion[];
  /**
   * Send it as `cursor` to get the next page; null on the last page.
   */
  next_cursor: string | null;
  /**
   * Whether entries follow this page.
   */
  has_more: boolean;
  /**
   * Entries in the whole list; only when `include_total=true` was asked.
   */
  total?: number;
  minItems?: 0;
}
/**
 * How to rotate a secret.
 */
export interface SecretRotationRequest {
  /**
   * For how long deliveries are signed with the old secret as well; 24 unless told.
   */
  overlap_hours?: number;
}
/**
 * How many pairs have each severity.
 */
export interface SeverityCounts1 {
  /**
   * Pairs that are `contraindicated`.
   */
  contraindicated: number;
  /**
   * Pairs that are `major`.
   */
  major: number;
  /**
   * Pairs that are `moderate`.
   */
  moderate: number;
  /**
   * Pairs that are `unknown`.
   */
  unknown: number;
  /**
   * Pairs that are `minor`.
   */
  minor: number;
  /**
   * Pairs that are `none_known`.
   */
  none_known: number;
}
/**
 * A value in another unit.
 */
export interface UnitConversion {
  from: Quantity;
  to: Quantity;
  /**
   * The LOINC code whose molar mass was used; null when none was given.
   */
  code: string | null;
}
/**
 * Answer to a request in a version that is no longer available, whatever the version.
 */
export interface VersionErrorEnvelope {
  /**
   * Unique identifier of the request.
   */
  requestId: string;
  /**
   * When the answer was made.
   */
  timestamp: string;
  /**
   * What every answer says of itself.
   */
  meta: {
    /**
     * Processing time in milliseconds.
     */
    processingTimeMs: number;
    /**
     * Version of the API, MAJOR.MINOR.PATCH.
     */
    version: string;
  };
  /**
   * Why the request failed.
   */
  error: {
    /**
     * Stable code of the error.
     */
    code: 'version_sunset';
    /**
     * What went wrong and what to do.
     */
    message: string;
    /**
     * The versions that can be called.
     */
    supported_versions: string[];
  };
}
/**
 * One attempt to deliver.
 */
export interface WebhookAttempt {
  /**
   * Number of the attempt, from 1.
   */
  number: number;
  /**
   * When it began.
   */
  started_at: string;
  /**
   * How long it took, in milliseconds.
   */
  duration_ms: number;
  /**
   * HTTP status of the receiver; null when there was no answer.
   */
  status: number | null;
  /**
   * `delivered` (2xx), `refused` (another status), `redirected` (3xx, which is not followed), `timed_out`, `unreachable`, or `address_forbidden` (the name led inside a network).
   */
  outcome: 'delivered' | 'refused' | 'redirected' | 'timed_out' | 'unreachable' | 'address_forbidden';
}
/**
 * One page of a list.
 */
export interface WebhookAttemptPage {
  /**
   * The entries of this page, in the order asked for.
   *
   * @maxItems 100
   */
  items: WebhookAttempt[];
  /**
   * Send it as `cursor` to get the next page; null on the last page.
   */
  next_cursor: string | null;
  /**
   * Whether entries follow this page.
   */
  has_more: boolean;
  /**
   * Entries in the whole list; only when `include_total=true` was asked.
   */
  total?: number;
  minItems?: 0;
}
/**
 * One event on its way to one subscription.
 */
export interface WebhookDelivery {
  /**
   * Delivery identifier.
   */
  id: string;
  /**
   * Where it goes.
   */
  subscription_id: string;
  /**
   * The event; sent as the header `webhook-id`.
   */
  event_id: string;
  /**
   * Kind of the event.
   */
  event_type: string;
  /**
   * The version it was written in when it was queued; null before that.
   */
  version: string | null;
  /**
   * `waiting` to be queued, `pending` until the next attempt, `held` while the subscription is not served, `delivered`, or `failed` for good.
   */
  state: 'waiting' | 'pending' | 'held' | 'delivered' | 'failed';
  /**
   * How often it was tried.
   */
  attempts: number;
  /**
   * When it is tried next; null when it is not.
   */
  next_attempt_at: string | null;
  /**
   * When it was made.
   */
  created_at: string;
  /**
   * When it was delivered or given up; null before that.
   */
  finished_at: string | null;
}
/**
 * One page of a list.
 */
export interface WebhookDeliveryPage {
  /**
   * The entries of this page, in the order asked for.
   *
   * @maxItems 100
   */
  items: WebhookDelivery[];
  /**
   * Send it as `cursor` to get the next page; null on the last page.
   */
  next_cursor: string | null;
  /**
   * Whether entries follow this page.
   */
  has_more: boolean;
  /**
   * Entries in the whole list; only when `include_total=true` was asked.
   */
  total?: number;
  minItems?: 0;
}
/**
 * What a replay began.
 */
export interface WebhookReplay {
  /**
   * How many deliveries wait to be queued because of it.
   */
  deliveries: number;
}
/**
 * Which events to send again: one by its identifier, or those of a time.
 */
export interface WebhookReplayRequest {
  /**
   * One event.
   */
  event_id?: string;
  /**
   * Events from this instant on.
   */
  from?: string;
  /**
   * Events before this instant; now unless told.
   */
  to?: string;
  /**
   * Only events of these kinds; all that the subscription takes unless told.
   *
   * @maxItems 50
   */
  kinds?: (
    | 'patient.created'
    | 'patient.updated'
    | 'patient.deleted'
    | 'patient.restored'
    | 'record.created'
    | 'record.updated'
    | 'record.deleted'
    | 'record.restored'
    | 'attachment.created'
    | 'attachment.updated'
    | 'attachment.deleted'
    | 'diagnostic.completed'
    | 'bulk.completed'
    | 'imaging.completed'
    | 'subscription.disabled'
    | 'webhook.test'
  )[];
}
/**
 * A subscription with its secret, which is shown once.
 */
export interface WebhookSecret {
  subscription: WebhookSubscription;
  /**
   * Signs the deliveries (Standard Webhooks, HMAC-SHA256). Shown once: null when the request is repeated with its Idempotency-Key, and then to be rotated.
   */
  secret: string | null;
}
/**
 * Where events are sent, and how.
 */
export interface WebhookSubscriptionCreate {
  /**
   * Subscription identifier.
   */
  id?: {
    [k: string]: unknown;
  };
  /**
   * Where events are posted to: an https address on the public internet, without user or fragment.
   */
  url: string;
  /**
   * What it is for.
   */
  description?: string | null;
  /**
   * The kinds of events that are sent; empty for every kind that the version has.
   *
   * @maxItems 50
   */
  kinds?:
    | (
        | 'patient.created'
        | 'patient.updated'
        | 'patient.deleted'
        | 'patient.restored'
        | 'record.created'
        | 'record.updated'
        | 'record.deleted'
        | 'record.restored'
        | 'attachment.created'
        | 'attachment.updated'
        | 'attachment.deleted'
        | 'diagnostic.completed'
        | 'bulk.completed'
        | 'imaging.completed'
        | 'subscription.disabled'
        | 'webhook.test'
      )[]
    | null;
  /**
   * `full` sends the object as the change left it, `thin` only identifiers. `full` unless told.
   */
  payload?: 'full' | 'thin' | null;
  /**
   * The version that events are sent in; unless told, that of the request that creates it.
   */
  version?: string | null;
  /**
   * `paused` keeps what waits and sends nothing, `disabled` means that this service gave up.
   */
  state?: {
    [k: string]: unknown;
  };
  /**
   * Why nothing is sent: `requested` by a client, `version_sunset` of its version, `receiver_gone` after a 410, `failing` for days; null while active.
   */
  state_reason?: {
    [k: string]: unknown;
  };
  /**
   * Since when it is in this state.
   */
  state_changed_at?: {
    [k: string]: unknown;
  };
  /**
   * Until when deliveries are signed with the secret before the last rotation as well; null when there is none.
   */
  previous_secret_expires_at?: {
    [k: string]: unknown;
  };
  /**
   * When it was created.
   */
  created_at?: {
    [k: string]: unknown;
  };
  /**
   * When it was last changed.
   */
  updated_at?: {
    [k: string]: unknown;
  };
}
/**
 * One page of a list.
 */
export interface WebhookSubscriptionPage {
  /**
   * The entries of this page, in the order asked for.
   *
   * @maxItems 100
   */
  items: WebhookSubscription[];
  /**
   * Send it as `cursor` to get the next page; null on the last page.
   */
  next_cursor: string | null;
  /**
   * Whether entries follow this page.
   */
  has_more: boolean;
  /**
   * Entries in the whole list; only when `include_total=true` was asked.
   */
  total?: number;
  minItems?: 0;
}
/**
 * Where events are sent, and how.
 */
export interface WebhookSubscriptionPatch {
  /**
   * Subscription identifier.
   */
  id?: {
    [k: string]: unknown;
  };
  /**
   * Where events are posted to: an https address on the public internet, without user or fragment.
   */
  url?: string;
  /**
   * What it is for.
   */
  description?: string | null;
  /**
   * The kinds of events that are sent; empty for every kind that the version has.
   *
   * @maxItems 50
   */
  kinds?:
    | (
        | 'patient.created'
        | 'patient.updated'
        | 'patient.deleted'
        | 'patient.restored'
        | 'record.created'
        | 'record.updated'
        | 'record.deleted'
        | 'record.restored'
        | 'attachment.created'
        | 'attachment.updated'
        | 'attachment.deleted'
        | 'diagnostic.completed'
        | 'bulk.completed'
        | 'imaging.completed'
        | 'subscription.disabled'
        | 'webhook.test'
      )[]
    | null;
  /**
   * `full` sends the object as the change left it, `thin` only identifiers. `full` unless told.
   */
  payload?: 'full' | 'thin' | null;
  /**
   * The version that events are sent in; unless told, that of the request that creates it.
   */
  version?: string | null;
  /**
   * `paused` keeps what waits and sends nothing, `disabled` means that this service gave up.
   */
  state?: {
    [k: string]: unknown;
  };
  /**
   * Why nothing is sent: `requested` by a client, `version_sunset` of its version, `receiver_gone` after a 410, `failing` for days; null while active.
   */
  state_reason?: {
    [k: string]: unknown;
  };
  /**
   * Since when it is in this state.
   */
  state_changed_at?: {
    [k: string]: unknown;
  };
  /**
   * Until when deliveries are signed with the secret before the last rotation as well; null when there is none.
   */
  previous_secret_expires_at?: {
    [k: string]: unknown;
  };
  /**
   * When it was created.
   */
  created_at?: {
    [k: string]: unknown;
  };
  /**
   * When it was last changed.
   */
  updated_at?: {
    [k: string]: unknown;
  };
}
/**
 * Query of `cohorts.list`.
 */
export interface CohortsListQuery {
  /**
   * Entries per page.
   */
  limit?: number;
  /**
   * Position to continue from: `next_cursor` of the page before, with the same filters and order.
   */
  cursor?: string;
  /**
   * Whether to count the whole list.
   */
  include_total?: boolean;
  /**
   * Fields to order by, separated by commas; a minus sign before one reverses it. Ties are ordered by id. One or more of created_at, updated_at, name.
   */
  sort?: string;
  /**
   * Part of the name, upper and lower case alike.
   */
  name?: string;
}
/**
 * Query of `analytics.incidence`.
 */
export interface AnalyticsIncidenceQuery {
  /**
   * Code of the condition; codes that begin with it count as well.
   */
  code: string;
  /**
   * Address of the code system; all of them unless given.
   */
  system?: string;
  /**
   * First month, UTC.
   */
  from: string;
  /**
   * Last month, UTC; at most 120 periods after the first.
   */
  until: string;
  /**
   * Length of a period.
   */
  interval?: 'month' | 'quarter' | 'year';
}
/**
 * Query of `analytics.observationTrend`.
 */
export interface AnalyticsObservationTrendQuery {
  /**
   * Code of the observation, or of one of its components.
   */
  code: string;
  /**
   * Address of the code system; LOINC unless given.
   */
  system?: string;
  /**
   * UCUM unit; the most frequent one unless given.
   */
  unit?: string;
  /**
   * First month, UTC.
   */
  from: string;
  /**
   * Last month, UTC; at most 120 periods after the first.
   */
  until: string;
}
/**
 * Query of `analytics.population`.
 */
export interface AnalyticsPopulationQuery {
  /**
   * Only patients of this cohort.
   */
  cohort_id?: string;
  /**
   * How many of the most common conditions to list.
   */
  conditions?: number;
}
/**
 * Query of `analytics.prevalence`.
 */
export interface AnalyticsPrevalenceQuery {
  /**
   * Code of the condition; codes that begin with it count as well.
   */
  code: string;
  /**
   * Address of the code system; all of them unless given.
   */
  system?: string;
  /**
   * First month, UTC.
   */
  from: string;
  /**
   * Last month, UTC; at most 120 periods after the first.
   */
  until: string;
  /**
   * Length of a period.
   */
  interval?: 'month' | 'quarter' | 'year';
}
/**
 * Query of `qualityMeasures.list`.
 */
export interface QualityMeasuresListQuery {
  /**
   * Entries per page.
   */
  limit?: number;
  /**
   * Position to continue from: `next_cursor` of the page before, with the same filters and order.
   */
  cursor?: string;
  /**
   * Whether to count the whole list.
   */
  include_total?: boolean;
  /**
   * Fields to order by, separated by commas; a minus sign before one reverses it. Ties are ordered by id. One or more of id, title.
   */
  sort?: string;
}
/**
 * Query of `qualityMeasures.evaluate`.
 */
export interface QualityMeasuresEvaluateQuery {
  /**
   * Only patients of this cohort.
   */
  cohort_id?: string;
  /**
   * Last of the twelve months looked at, UTC; the current one unless given.
   */
  month?: string;
}
/**
 * Query of `analytics.riskStratification`.
 */
export interface AnalyticsRiskStratificationQuery {
  /**
   * Only patients of this cohort.
   */
  cohort_id?: string;
}
/**
 * Query of `diagnostics.list`.
 */
export interface DiagnosticsListQuery {
  /**
   * Entries per page.
   */
  limit?: number;
  /**
   * Position to continue from: `next_cursor` of the page before, with the same filters and order.
   */
  cursor?: string;
  /**
   * Whether to count the whole list.
   */
  include_total?: boolean;
  /**
   * Fields to order by, separated by commas; a minus sign before one reverses it. Ties are ordered by id. One or more of created_at, updated_at.
   */
  sort?: string;
  /**
   * Patient they are about.
   */
  patient_id?: string;
  /**
   * What they are the result of.
   */
  kind?: 'analysis' | 'differential' | 'imaging';
  /**
   * State of the record.
   */
  status?: 'completed' | 'accepted' | 'overridden';
  /**
   * Only what was made at this instant or later.
   */
  created_from?: string;
  /**
   * Only what was made at this instant or before.
   */
  created_to?: string;
  /**
   * Whether diagnostic records of images, and what tells of them, are found as well.
   */
  include_imaging?: boolean;
}
/**
 * Query of `diagnostics.bulk`.
 */
export interface DiagnosticsBulkQuery {
  /**
   * Whether the operations stand and fall together, for a body of lines; a JSON body says it itself.
   */
  mode?: 'independent' | 'atomic';
  /**
   * Whether diagnostic records of images, and what tells of them, are found as well.
   */
  include_imaging?: boolean;
}
/**
 * Query of `diagnostics.delete`.
 */
export interface DiagnosticsDeleteQuery {
  /**
   * Whether diagnostic records of images, and what tells of them, are found as well.
   */
  include_imaging?: boolean;
}
/**
 * Query of `diagnostics.get`.
 */
export interface DiagnosticsGetQuery {
  /**
   * Whether diagnostic records of images, and what tells of them, are found as well.
   */
  include_imaging?: boolean;
}
/**
 * Query of `diagnostics.update`.
 */
export interface DiagnosticsUpdateQuery {
  /**
   * Whether diagnostic records of images, and what tells of them, are found as well.
   */
  include_imaging?: boolean;
}
/**
 * Query of `diagnostics.giveFeedback`.
 */
export interface DiagnosticsGiveFeedbackQuery {
  /**
   * Whether diagnostic records of images, and what tells of them, are found as well.
   */
  include_imaging?: boolean;
}
/**
 * Query of `diagnostics.restore`.
 */
export interface DiagnosticsRestoreQuery {
  /**
   * Whether diagnostic records of images, and what tells of them, are found as well.
   */
  include_imaging?: boolean;
}
/**
 * Query of `dicomweb.instances.search`.
 */
export interface DicomwebInstancesSearchQuery {
  /**
   * This study.
   */
  StudyInstanceUID?: string;
  /**
   * The patient’s identifier in the file, exactly.
   */
  PatientID?: string;
  /**
   * The patient’s name in the file; * stands for any characters.
   */
  PatientName?: string;
  /**
   * The day, or the first and the last joined by a hyphen: 20231001-20231031.
   */
  StudyDate?: string;
  /**
   * The accession number, exactly.
   */
  AccessionNumber?: string;
  /**
   * A modality that the study has.
   */
  ModalitiesInStudy?: string;
  /**
   * This series.
   */
  SeriesInstanceUID?: string;
  /**
   * The modality of the series.
   */
  Modality?: string;
  /**
   * The number of the series.
   */
  SeriesNumber?: number;
  /**
   * This instance.
   */
  SOPInstanceUID?: string;
  /**
   * Of this SOP class.
   */
  SOPClassUID?: string;
  /**
   * The number of the instance.
   */
  InstanceNumber?: number;
  /**
   * Most instances answered.
   */
  limit?: number;
  /**
   * How many to leave out.
   */
  offset?: number;
  /**
   * Attributes wanted beside the required ones, or all; whatever is kept of it is answered always.
   */
  includefield?: string;
  /**
   * Whether names may sound alike: not supported, answered by literal matching and a Warning.
   */
  fuzzymatching?: boolean;
}
/**
 * Query of `dicomweb.series.search`.
 */
export interface DicomwebSeriesSearchQuery {
  /**
   * This study.
   */
  StudyInstanceUID?: string;
  /**
   * The patient’s identifier in the file, exactly.
   */
  PatientID?: string;
  /**
   * The patient’s name in the file; * stands for any characters.
   */
  PatientName?: string;
  /**
   * The day, or the first and the last joined by a hyphen: 20231001-20231031.
   */
  StudyDate?: string;
  /**
   * The accession number, exactly.
   */
  AccessionNumber?: string;
  /**
   * A modality that the study has.
   */
  ModalitiesInStudy?: string;
  /**
   * This series.
   */
  SeriesInstanceUID?: string;
  /**
   * The modality of the series.
   */
  Modality?: string;
  /**
   * The number of the series.
   */
  SeriesNumber?: number;
  /**
   * Most series answered.
   */
  limit?: number;
  /**
   * How many to leave out.
   */
  offset?: number;
  /**
   * Attributes wanted beside the required ones, or all; whatever is kept of it is answered always.
   */
  includefield?: string;
  /**
   * Whether names may sound alike: not supported, answered by literal matching and a Warning.
   */
  fuzzymatching?: boolean;
}
/**
 * Query of `dicomweb.studies.search`.
 */
export interface DicomwebStudiesSearchQuery {
  /**
   * This study.
   */
  StudyInstanceUID?: string;
  /**
   * The patient’s identifier in the file, exactly.
   */
  PatientID?: string;
  /**
   * The patient’s name in the file; * stands for any characters.
   */
  PatientName?: string;
  /**
   * The day, or the first and the last joined by a hyphen: 20231001-20231031.
   */
  StudyDate?: string;
  /**
   * The accession number, exactly.
   */
  AccessionNumber?: string;
  /**
   * A modality that the study has.
   */
  ModalitiesInStudy?: string;
  /**
   * Most studies answered.
   */
  limit?: number;
  /**
   * How many to leave out.
   */
  offset?: number;
  /**
   * Attributes wanted beside the required ones, or all; whatever is kept of it is answered always.
   */
  includefield?: string;
  /**
   * Whether names may sound alike: not supported, answered by literal matching and a Warning.
   */
  fuzzymatching?: boolean;
}
/**
 * Query of `dicomweb.studies.instances.search`.
 */
export interface DicomwebStudiesInstancesSearchQuery {
  /**
   * This series.
   */
  SeriesInstanceUID?: string;
  /**
   * The modality of the series.
   */
  Modality?: string;
  /**
   * The number of the series.
   */
  SeriesNumber?: number;
  /**
   * This instance.
   */
  SOPInstanceUID?: string;
  /**
   * Of this SOP class.
   */
  SOPClassUID?: string;
  /**
   * The number of the instance.
   */
  InstanceNumber?: number;
  /**
   * Most instances answered.
   */
  limit?: number;
  /**
   * How many to leave out.
   */
  offset?: number;
  /**
   * Attributes wanted beside the required ones, or all; whatever is kept of it is answered always.
   */
  includefield?: string;
  /**
   * Whether names may sound alike: not supported, answered by literal matching and a Warning.
   */
  fuzzymatching?: boolean;
}
/**
 * Query of `dicomweb.studies.series.search`.
 */
export interface DicomwebStudiesSeriesSearchQuery {
  /**
   * This series.
   */
  SeriesInstanceUID?: string;
  /**
   * The modality of the series.
   */
  Modality?: string;
  /**
   * The number of the series.
   */
  SeriesNumber?: number;
  /**
   * Most series answered.
   */
  limit?: number;
  /**
   * How many to leave out.
   */
  offset?: number;
  /**
   * Attributes wanted beside the required ones, or all; whatever is kept of it is answered always.
   */
  includefield?: string;
  /**
   * Whether names may sound alike: not supported, answered by literal matching and a Warning.
   */
  fuzzymatching?: boolean;
}
/**
 * Query of `dicomweb.series.instances.search`.
 */
export interface DicomwebSeriesInstancesSearchQuery {
  /**
   * This instance.
   */
  SOPInstanceUID?: string;
  /**
   * Of this SOP class.
   */
  SOPClassUID?: string;
  /**
   * The number of the instance.
   */
  InstanceNumber?: number;
  /**
   * Most instances answered.
   */
  limit?: number;
  /**
   * How many to leave out.
   */
  offset?: number;
  /**
   * Attributes wanted beside the required ones, or all; whatever is kept of it is answered always.
   */
  includefield?: string;
  /**
   * Whether names may sound alike: not supported, answered by literal matching and a Warning.
   */
  fuzzymatching?: boolean;
}
/**
 * Query of `dicomweb.instances.rendered`.
 */
export interface DicomwebInstancesRenderedQuery {
  /**
   * Centre, width and function, joined by commas: 40,400,linear.
   */
  window?: string;
  /**
   * Width and height that the picture must fit into, joined by a comma.
   */
  viewport?: string;
}
/**
 * Query of `events.list`.
 */
export interface EventsListQuery {
  /**
   * Entries per page.
   */
  limit?: number;
  /**
   * Position to continue from: `next_cursor` of the page before, with the same filters and order.
   */
  cursor?: string;
  /**
   * Whether to count the whole list.
   */
  include_total?: boolean;
  /**
   * Fields to order by, separated by commas; a minus sign before one reverses it. Ties are ordered by id. One or more of timestamp.
   */
  sort?: string;
  /**
   * Kind of the event.
   */
  type?:
    | 'patient.created'
    | 'patient.updated'
    | 'patient.deleted'
    | 'patient.restored'
    | 'record.created'
    | 'record.updated'
    | 'record.deleted'
    | 'record.restored'
    | 'attachment.created'
    | 'attachment.updated'
    | 'attachment.deleted'
    | 'diagnostic.completed'
    | 'bulk.completed'
    | 'imaging.completed'
    | 'subscription.disabled'
    | 'webhook.test';
  /**
   * The object it happened to.
   */
  object_id?: string;
  /**
   * Whose data it is about.
   */
  patient_id?: string;
  /**
   * Whether diagnostic records of images, and what tells of them, are found as well.
   */
  include_imaging?: boolean;
}
/**
 * Query of `events.get`.
 */
export interface EventsGetQuery {
  /**
   * Whether diagnostic records of images, and what tells of them, are found as well.
   */
  include_imaging?: boolean;
}
/**
 * Query of `imaging.studies.list`.
 */
export interface ImagingStudiesListQuery {
  /**
   * Entries per page.
   */
  limit?: number;
  /**
   * Position to continue from: `next_cursor` of the page before, with the same filters and order.
   */
  cursor?: string;
  /**
   * Whether to count the whole list.
   */
  include_total?: boolean;
  /**
   * Fields to order by, separated by commas; a minus sign before one reverses it. Ties are ordered by id. One or more of created_at, updated_at, study_date.
   */
  sort?: string;
  /**
   * Of this patient.
   */
  patient_id?: string;
  /**
   * Of this modality.
   */
  modality?: string;
}
/**
 * Query of `imaging.studies.create`.
 */
export interface ImagingStudiesCreateQuery {
  /**
   * The patient it is of, where no field of a form says so.
   */
  patient_id?: string;
  /**
   * What to call it, where no field of a form says so.
   */
  description?: string;
  /**
   * Whether the identity is removed first, where no field of a form says so.
   */
  deidentify?: boolean;
}
/**
 * Query of `imaging.instances.list`.
 */
export interface ImagingInstancesListQuery {
  /**
   * Entries per page.
   */
  limit?: number;
  /**
   * Position to continue from: `next_cursor` of the page before, with the same filters and order.
   */
  cursor?: string;
  /**
   * Whether to count the whole list.
   */
  include_total?: boolean;
  /**
   * Fields to order by, separated by commas; a minus sign before one reverses it. Ties are ordered by id. One or more of created_at, instance_number.
   */
  sort?: string;
}
/**
 * Query of `imaging.studies.preview`.
 */
export interface ImagingStudiesPreviewQuery {
  /**
   * Which file; the first one unless it is named.
   */
  instance_id?: string;
  /**
   * Which frame, from 1.
   */
  frame?: number;
  /**
   * Value in the middle of the window; with window_width.
   */
  window_center?: number;
  /**
   * Width of the window, at least 1; with window_center.
   */
  window_width?: number;
  /**
   * How the window maps values (PS3.3, C.11.2.1.3).
   */
  window_function?: 'linear' | 'linear_exact' | 'sigmoid';
  /**
   * Whether black and white are exchanged.
   */
  invert?: boolean;
  /**
   * Longest edge in pixels; a picture is never made larger than it is.
   */
  size?: number;
  /**
   * A result of this study whose findings are drawn on it.
   */
  result_id?: string;
}
/**
 * Query of `imaging.results.list`.
 */
export interface ImagingResultsListQuery {
  /**
   * Entries per page.
   */
  limit?: number;
  /**
   * Position to continue from: `next_cursor` of the page before, with the same filters and order.
   */
  cursor?: string;
  /**
   * Whether to count the whole list.
   */
  include_total?: boolean;
  /**
   * Fields to order by, separated by commas; a minus sign before one reverses it. Ties are ordered by id. One or more of created_at, updated_at.
   */
  sort?: string;
}
/**
 * Query of `imaging.studies.thumbnail`.
 */
export interface ImagingStudiesThumbnailQuery {
  /**
   * Which file; the first one unless it is named.
   */
  instance_id?: string;
  /**
   * Which frame, from 1.
   */
  frame?: number;
}
/**
 * Query of `jobs.list`.
 */
export interface JobsListQuery {
  /**
   * Entries per page.
   */
  limit?: number;
  /**
   * Position to continue from: `next_cursor` of the page before, with the same filters and order.
   */
  cursor?: string;
  /**
   * Whether to count the whole list.
   */
  include_total?: boolean;
  /**
   * Fields to order by, separated by commas; a minus sign before one reverses it. Ties are ordered by id. One or more of created_at.
   */
  sort?: string;
  /**
   * Where the job stands.
   */
  state?: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled' | 'expired';
  /**
   * What is done.
   */
  kind?: string;
  /**
   * Whether diagnostic records of images, and what tells of them, are found as well.
   */
  include_imaging?: boolean;
}
/**
 * Query of `jobs.get`.
 */
export interface JobsGetQuery {
  /**
   * Whether diagnostic records of images, and what tells of them, are found as well.
   */
  include_imaging?: boolean;
}
/**
 * Query of `jobs.cancel`.
 */
export interface JobsCancelQuery {
  /**
   * Whether diagnostic records of images, and what tells of them, are found as well.
   */
  include_imaging?: boolean;
}
/**
 * Query of `jobs.result`.
 */
export interface JobsResultQuery {
  /**
   * Whether diagnostic records of images, and what tells of them, are found as well.
   */
  include_imaging?: boolean;
}
/**
 * Query of `knowledgeConditions.list`.
 */
export interface KnowledgeConditionsListQuery {
  /**
   * Entries per page.
   */
  limit?: number;
  /**
   * Position to continue from: `next_cursor` of the page before, with the same filters and order.
   */
  cursor?: string;
  /**
   * Whether to count the whole list.
   */
  include_total?: boolean;
  /**
   * Fields to order by, separated by commas; a minus sign before one reverses it. Ties are ordered by id. One or more of name, id.
   */
  sort?: string;
  /**
   * Part of it, without regard to case and accents.
   */
  name?: string;
  /**
   * Specialty.
   */
  specialty?: string;
  /**
   * How soon it should be seen.
   */
  urgency?: 'emergency' | 'urgent' | 'soon' | 'routine' | 'self_care';
  /**
   * Beginning of an ICD-10 code.
   */
  icd10?: string;
  /**
   * Finding or risk factor that it has.
   */
  finding_id?: string;
  /**
   * Treatment that is usual for it.
   */
  treatment_id?: string;
}
/**
 * Query of `knowledgeFindings.list`.
 */
export interface KnowledgeFindingsListQuery {
  /**
   * Entries per page.
   */
  limit?: number;
  /**
   * Position to continue from: `next_cursor` of the page before, with the same filters and order.
   */
  cursor?: string;
  /**
   * Whether to count the whole list.
   */
  include_total?: boolean;
  /**
   * Fields to order by, separated by commas; a minus sign before one reverses it. Ties are ordered by id. One or more of name, id.
   */
  sort?: string;
  /**
   * Part of it, without regard to case and accents.
   */
  name?: string;
  /**
   * What it is.
   */
  category?: 'symptom' | 'sign' | 'test' | 'history' | 'time' | 'vital_sign';
  /**
   * Region of the body, or group.
   */
  region?: string;
}
/**
 * Query of `knowledgeGraph.listEntities`.
 */
export interface KnowledgeGraphListEntitiesQuery {
  /**
   * Only entities of this kind.
   */
  kind?:
    'condition' | 'finding' | 'treatment' | 'medication' | 'guideline' | 'red_flag' | 'medication_class' | 'category';
  /**
   * Part of the name, without regard to case and accents.
   */
  name?: string;
  /**
   * Entries per page.
   */
  limit?: number;
  /**
   * Position to continue from: `next_cursor` of the page before, with the same filters and order.
   */
  cursor?: string;
  /**
   * Whether to count the whole list.
   */
  include_total?: boolean;
  /**
   * Fields to order by, separated by commas; a minus sign before one reverses it. Ties are ordered by id. One or more of name, entity_id.
   */
  sort?: string;
}
/**
 * Query of `knowledgeGraph.listNeighbours`.
 */
export interface KnowledgeGraphListNeighboursQuery {
  /**
   * Only by relationships of these types. Several with commas between.
   */
  types?: string;
  /**
   * Only entities of this kind.
   */
  kind?:
    'condition' | 'finding' | 'treatment' | 'medication' | 'guideline' | 'red_flag' | 'medication_class' | 'category';
  /**
   * Only relationships in this direction.
   */
  direction?: 'out' | 'in';
  /**
   * Only relationships at least as likely.
   */
  min_likelihood?: number;
  /**
   * Only relationships at least as severe.
   */
  min_severity?: 'contraindicated' | 'major' | 'moderate' | 'minor';
  /**
   * Entries per page.
   */
  limit?: number;
  /**
   * Position to continue from: `next_cursor` of the page before, with the same filters and order.
   */
  cursor?: string;
  /**
   * Whether to count the whole list.
   */
  include_total?: boolean;
}
/**
 * Query of `knowledgeGraph.listPaths`.
 */
export interface KnowledgeGraphListPathsQuery {
  /**
   * Entity to begin at.
   */
  from: string;
  /**
   * Entity to end at.
   */
  to: string;
  /**
   * Types of relationships that may be followed; all but `interacts_with`, `in_class` and `in_category` unless given. Of interactions, those that are contraindicated or major are followed. Several with commas between.
   */
  types?: string;
  /**
   * Most relationships on the way.
   */
  max_length?: number;
  /**
   * Entries per page.
   */
  limit?: number;
  /**
   * Position to continue from: `next_cursor` of the page before, with the same filters and order.
   */
  cursor?: string;
  /**
   * Whether to count the whole list.
   */
  include_total?: boolean;
}
/**
 * Query of `knowledgeGraph.patient`.
 */
export interface KnowledgeGraphPatientQuery {
  /**
   * Relationships by which neighbours are added; `covers` and `treated_by` unless given. Several with commas between.
   */
  types?: string;
  /**
   * 0: only what the records stand for; 1: their neighbours too.
   */
  depth?: number;
  /**
   * Most entities.
   */
  limit?: number;
}
/**
 * Query of `knowledgeGraph.shortestPath`.
 */
export interface KnowledgeGraphShortestPathQuery {
  /**
   * Entity to begin at.
   */
  from: string;
  /**
   * Entity to end at.
   */
  to: string;
  /**
   * Types of relationships that may be followed; all but `interacts_with`, `in_class` and `in_category` unless given. Of interactions, those that are contraindicated or major are followed. Several with commas between.
   */
  types?: string;
  /**
   * Most relationships on the way.
   */
  max_length?: number;
}
/**
 * Query of `knowledgeGuidelines.list`.
 */
export interface KnowledgeGuidelinesListQuery {
  /**
   * Entries per page.
   */
  limit?: number;
  /**
   * Position to continue from: `next_cursor` of the page before, with the same filters and order.
   */
  cursor?: string;
  /**
   * Whether to count the whole list.
   */
  include_total?: boolean;
  /**
   * Fields to order by, separated by commas; a minus sign before one reverses it. Ties are ordered by id. One or more of title, id.
   */
  sort?: string;
  /**
   * Part of it, without regard to case and accents.
   */
  title?: string;
  /**
   * Specialty.
   */
  specialty?: string;
  /**
   * Condition that it covers.
   */
  condition_id?: string;
}
/**
 * Query of `knowledge.related`.
 */
export interface KnowledgeRelatedQuery {
  /**
   * Only entries of this kind.
   */
  kind?: 'condition' | 'finding' | 'treatment' | 'medication' | 'guideline' | 'red_flag';
  /**
   * Entries per page.
   */
  limit?: number;
  /**
   * Position to continue from: `next_cursor` of the page before, with the same filters and order.
   */
  cursor?: string;
  /**
   * Whether to count the whole list.
   */
  include_total?: boolean;
}
/**
 * Query of `knowledgeMedications.list`.
 */
export interface KnowledgeMedicationsListQuery {
  /**
   * Entries per page.
   */
  limit?: number;
  /**
   * Position to continue from: `next_cursor` of the page before, with the same filters and order.
   */
  cursor?: string;
  /**
   * Whether to count the whole list.
   */
  include_total?: boolean;
  /**
   * Fields to order by, separated by commas; a minus sign before one reverses it. Ties are ordered by id. One or more of name, id.
   */
  sort?: string;
  /**
   * Part of it, without regard to case and accents.
   */
  name?: string;
  /**
   * Beginning of an ATC code.
   */
  atc?: string;
  /**
   * RxNorm concept identifier.
   */
  rxnorm?: string;
  /**
   * Class that it belongs to.
   */
  class_id?: string;
}
/**
 * Query of `knowledgeRedFlags.list`.
 */
export interface KnowledgeRedFlagsListQuery {
  /**
   * Entries per page.
   */
  limit?: number;
  /**
   * Position to continue from: `next_cursor` of the page before, with the same filters and order.
   */
  cursor?: string;
  /**
   * Whether to count the whole list.
   */
  include_total?: boolean;
  /**
   * Fields to order by, separated by commas; a minus sign before one reverses it. Ties are ordered by id. One or more of name, id.
   */
  sort?: string;
  /**
   * Part of it, without regard to case and accents.
   */
  name?: string;
  /**
   * How soon.
   */
  urgency?: 'emergency' | 'urgent';
  /**
   * Finding that can raise it.
   */
  finding_id?: string;
}
/**
 * Query of `knowledge.search`.
 */
export interface KnowledgeSearchQuery {
  /**
   * Words or codes. Accents do not matter, words may be cut short, and slips of spelling are forgiven. Entries with all the words are found; where no entry has them all, entries with some. Of more than 16 words the first 16 count.
   */
  query: string;
  /**
   * Only entries of this kind.
   */
  kind?: 'condition' | 'finding' | 'treatment' | 'medication' | 'guideline' | 'red_flag';
  /**
   * Entries per page.
   */
  limit?: number;
  /**
   * Position to continue from: `next_cursor` of the page before, with the same filters and order.
   */
  cursor?: string;
  /**
   * Whether to count the whole list.
   */
  include_total?: boolean;
}
/**
 * Query of `knowledgeTreatments.list`.
 */
export interface KnowledgeTreatmentsListQuery {
  /**
   * Entries per page.
   */
  limit?: number;
  /**
   * Position to continue from: `next_cursor` of the page before, with the same filters and order.
   */
  cursor?: string;
  /**
   * Whether to count the whole list.
   */
  include_total?: boolean;
  /**
   * Fields to order by, separated by commas; a minus sign before one reverses it. Ties are ordered by id. One or more of name, id.
   */
  sort?: string;
  /**
   * Part of it, without regard to case and accents.
   */
  name?: string;
  /**
   * Kind of treatment.
   */
  kind?: 'medication' | 'procedure' | 'lifestyle' | 'referral' | 'monitoring' | 'supportive';
  /**
   * Condition that it is usual for.
   */
  condition_id?: string;
}
/**
 * Query of `interactionOverrides.list`.
 */
export interface InteractionOverridesListQuery {
  /**
   * Entries per page.
   */
  limit?: number;
  /**
   * Position to continue from: `next_cursor` of the page before, with the same filters and order.
   */
  cursor?: string;
  /**
   * Whether to count the whole list.
   */
  include_total?: boolean;
  /**
   * Fields to order by, separated by commas; a minus sign before one reverses it. Ties are ordered by id. One or more of created_at.
   */
  sort?: string;
  /**
   * Patient they hold for.
   */
  patient_id?: string;
}
/**
 * Query of `patients.list`.
 */
export interface PatientsListQuery {
  /**
   * Entries per page.
   */
  limit?: number;
  /**
   * Position to continue from: `next_cursor` of the page before, with the same filters and order.
   */
  cursor?: string;
  /**
   * Whether to count the whole list.
   */
  include_total?: boolean;
  /**
   * Fields to order by, separated by commas; a minus sign before one reverses it. Ties are ordered by id. One or more of created_at, name, dob, updated_at.
   */
  sort?: string;
  /**
   * Part of the name, upper and lower case alike.
   */
  name?: string;
  /**
   * Date of birth.
   */
  dob?: string;
  /**
   * Recorded sex.
   */
  sex?: 'female' | 'male' | 'other' | 'unknown';
  /**
   * Gender identity, exactly as recorded.
   */
  gender_identity?: string;
  /**
   * Email address, upper and lower case alike.
   */
  'contact_info.email'?: string;
}
/**
 * Query of `patients.bulk`.
 */
export interface PatientsBulkQuery {
  /**
   * Whether the operations stand and fall together, for a body of lines; a JSON body says it itself.
   */
  mode?: 'independent' | 'atomic';
}
/**
 * Query of `patients.listDeleted`.
 */
export interface PatientsListDeletedQuery {
  /**
   * Entries per page.
   */
  limit?: number;
  /**
   * Position to continue from: `next_cursor` of the page before, with the same filters and order.
   */
  cursor?: string;
  /**
   * Whether to count the whole list.
   */
  include_total?: boolean;
  /**
   * Fields to order by, separated by commas; a minus sign before one reverses it. Ties are ordered by id. One or more of deleted_at.
   */
  sort?: string;
}
/**
 * Query of `patients.export`.
 */
export interface PatientsExportQuery {
  /**
   * Part of the name, upper and lower case alike.
   */
  name?: string;
  /**
   * Date of birth.
   */
  dob?: string;
  /**
   * Recorded sex.
   */
  sex?: 'female' | 'male' | 'other' | 'unknown';
  /**
   * Gender identity, exactly as recorded.
   */
  gender_identity?: string;
  /**
   * Email address, upper and lower case alike.
   */
  'contact_info.email'?: string;
}
/**
 * Query of `patients.search`.
 */
export interface PatientsSearchQuery {
  /**
   * Words, each of which must be found: parts of the name without regard to accents, beginnings of the email address, parts of the telephone number, a date of birth as YYYY-MM-DD, an email address or an identifier.
   */
  query?: string;
  /**
   * Entries per page.
   */
  limit?: number;
  /**
   * Position to continue from: `next_cursor` of the page before, with the same filters and order.
   */
  cursor?: string;
  /**
   * Whether to count the whole list.
   */
  include_total?: boolean;
  /**
   * Fields to order by, separated by commas; a minus sign before one reverses it. Ties are ordered by id. One or more of created_at, name, dob, updated_at.
   */
  sort?: string;
  /**
   * Part of the name, upper and lower case alike.
   */
  name?: string;
  /**
   * Date of birth.
   */
  dob?: string;
  /**
   * Recorded sex.
   */
  sex?: 'female' | 'male' | 'other' | 'unknown';
  /**
   * Gender identity, exactly as recorded.
   */
  gender_identity?: string;
  /**
   * Email address, upper and lower case alike.
   */
  'contact_info.email'?: string;
  /**
   * Patient identifier.
   */
  id?: string;
}
/**
 * Query of `patients.history`.
 */
export interface PatientsHistoryQuery {
  /**
   * Entries per page.
   */
  limit?: number;
  /**
   * Position to continue from: `next_cursor` of the page before, with the same filters and order.
   */
  cursor?: string;
  /**
   * Whether to count the whole list.
   */
  include_total?: boolean;
  /**
   * Fields to order by, separated by commas; a minus sign before one reverses it. Ties are ordered by id. One or more of revision.
   */
  sort?: string;
}
/**
 * Query of `records.list`.
 */
export interface RecordsListQuery {
  /**
   * Entries per page.
   */
  limit?: number;
  /**
   * Position to continue from: `next_cursor` of the page before, with the same filters and order.
   */
  cursor?: string;
  /**
   * Whether to count the whole list.
   */
  include_total?: boolean;
  /**
   * Fields to order by, separated by commas; a minus sign before one reverses it. Ties are ordered by id. One or more of created_at, updated_at, effective_at.
   */
  sort?: string;
  /**
   * Type of the record.
   */
  type?: 'condition' | 'medication' | 'allergy' | 'observation' | 'procedure' | 'note';
  /**
   * State of the record.
   */
  status?: string;
  /**
   * Code system.
   */
  'code.system'?: string;
  /**
   * Code, in whichever system unless one is given.
   */
  'code.code'?: string;
  /**
   * Only what was in effect at this instant or later.
   */
  effective_from?: string;
  /**
   * Only what was in effect at this instant or before.
   */
  effective_to?: string;
}
/**
 * Query of `attachments.list`.
 */
export interface AttachmentsListQuery {
  /**
   * Entries per page.
   */
  limit?: number;
  /**
   * Position to continue from: `next_cursor` of the page before, with the same filters and order.
   */
  cursor?: string;
  /**
   * Whether to count the whole list.
   */
  include_total?: boolean;
  /**
   * Fields to order by, separated by commas; a minus sign before one reverses it. Ties are ordered by id. One or more of created_at, file_name, size.
   */
  sort?: string;
}
/**
 * Query of `records.history`.
 */
export interface RecordsHistoryQuery {
  /**
   * Entries per page.
   */
  limit?: number;
  /**
   * Position to continue from: `next_cursor` of the page before, with the same filters and order.
   */
  cursor?: string;
  /**
   * Whether to count the whole list.
   */
  include_total?: boolean;
  /**
   * Fields to order by, separated by commas; a minus sign before one reverses it. Ties are ordered by id. One or more of revision.
   */
  sort?: string;
}
/**
 * Query of `records.query`.
 */
export interface RecordsQueryQuery {
  /**
   * Entries per page.
   */
  limit?: number;
  /**
   * Position to continue from: `next_cursor` of the page before, with the same filters and order.
   */
  cursor?: string;
  /**
   * Whether to count the whole list.
   */
  include_total?: boolean;
  /**
   * Fields to order by, separated by commas; a minus sign before one reverses it. Ties are ordered by id. One or more of created_at, updated_at, effective_at.
   */
  sort?: string;
  /**
   * Type of the record.
   */
  type?: 'condition' | 'medication' | 'allergy' | 'observation' | 'procedure' | 'note';
  /**
   * State of the record.
   */
  status?: string;
  /**
   * Code system.
   */
  'code.system'?: string;
  /**
   * Code, in whichever system unless one is given.
   */
  'code.code'?: string;
  /**
   * Only what was in effect at this instant or later.
   */
  effective_from?: string;
  /**
   * Only what was in effect at this instant or before.
   */
  effective_to?: string;
}
/**
 * Query of `records.export`.
 */
export interface RecordsExportQuery {
  /**
   * Type of the record.
   */
  type?: 'condition' | 'medication' | 'allergy' | 'observation' | 'procedure' | 'note';
  /**
   * State of the record.
   */
  status?: string;
  /**
   * Code system.
   */
  'code.system'?: string;
  /**
   * Code, in whichever system unless one is given.
   */
  'code.code'?: string;
  /**
   * Only what was in effect at this instant or later.
   */
  effective_from?: string;
  /**
   * Only what was in effect at this instant or before.
   */
  effective_to?: string;
}
/**
 * Query of `units.convert`.
 */
export interface UnitsConvertQuery {
  /**
   * The number to convert.
   */
  value: string;
  /**
   * UCUM unit it is in.
   */
  from: string;
  /**
   * UCUM unit it is wanted in.
   */
  to: string;
  /**
   * LOINC code of the substance, where mass is converted to moles.
   */
  code?: string;
}
/**
 * Query of `webhooks.list`.
 */
export interface WebhooksListQuery {
  /**
   * Entries per page.
   */
  limit?: number;
  /**
   * Position to continue from: `next_cursor` of the page before, with the same filters and order.
   */
  cursor?: string;
  /**
   * Whether to count the whole list.
   */
  include_total?: boolean;
  /**
   * Fields to order by, separated by commas; a minus sign before one reverses it. Ties are ordered by id. One or more of created_at, updated_at.
   */
  sort?: string;
}
/**
 * Query of `webhooks.listDeliveries`.
 */
export interface WebhooksListDeliveriesQuery {
  /**
   * Entries per page.
   */
  limit?: number;
  /**
   * Position to continue from: `next_cursor` of the page before, with the same filters and order.
   */
  cursor?: string;
  /**
   * Whether to count the whole list.
   */
  include_total?: boolean;
  /**
   * Fields to order by, separated by commas; a minus sign before one reverses it. Ties are ordered by id. One or more of created_at.
   */
  sort?: string;
  /**
   * What became of the delivery.
   */
  state?: 'waiting' | 'pending' | 'held' | 'delivered' | 'failed';
  /**
   * The event.
   */
  event_id?: string;
}
/**
 * Query of `webhooks.listAttempts`.
 */
export interface WebhooksListAttemptsQuery {
  /**
   * Entries per page.
   */
  limit?: number;
  /**
   * Position to continue from: `next_cursor` of the page before, with the same filters and order.
   */
  cursor?: string;
  /**
   * Whether to count the whole list.
   */
  include_total?: boolean;
  /**
   * Fields to order by, separated by commas; a minus sign before one reverses it. Ties are ordered by id. One or more of number.
   */
  sort?: string;
}

/** Every answer of success. */

export type Envelope<Data> = Omit<ErrorEnvelope, 'error'> & { data: Data };

/** Every operation by its id: how it is called, and the `data` it answers. */
export interface Operations {
  /** List cohorts. */
  'cohorts.list': {
    method: 'GET';
    path: '/analytics/cohorts';
    query: CohortsListQuery;
    body: undefined;
    status: 200;
    data: CohortPage;
  };
  /** Save a cohort. */
  'cohorts.create': {
    method: 'POST';
    path: '/analytics/cohorts';
    query: Record<string, never>;
    body: CohortCreate;
    status: 201;
    data: Cohort;
  };
  /** Compare cohorts. */
  'cohorts.compare': {
    method: 'POST';
    path: '/analytics/cohorts/compare';
    query: Record<string, never>;
    body: CohortComparisonRequest;
    status: 200;
    data: CohortComparison;
  };
  /** Delete a cohort. */
  'cohorts.delete': {
    method: 'DELETE';
    path: '/analytics/cohorts/{cohort_id}';
    query: Record<string, never>;
    body: undefined;
    status: 204;
    data: undefined;
  };
  /** Get a cohort. */
  'cohorts.get': {
    method: 'GET';
    path: '/analytics/cohorts/{cohort_id}';
    query: Record<string, never>;
    body: undefined;
    status: 200;
    data: Cohort;
  };
  /** Update parts of a cohort. */
  'cohorts.update': {
    method: 'PATCH';
    path: '/analytics/cohorts/{cohort_id}';
    query: Record<string, never>;
    body: CohortPatch;
    status: 200;
    data: Cohort;
  };
  /** Replace a cohort. */
  'cohorts.replace': {
    method: 'PUT';
    path: '/analytics/cohorts/{cohort_id}';
    query: Record<string, never>;
    body: CohortReplace;
    status: 200;
    data: Cohort;
  };
  /** Incidence of a condition over time. */
  'analytics.incidence': {
    method: 'GET';
    path: '/analytics/incidence';
    query: AnalyticsIncidenceQuery;
    body: undefined;
    status: 200;
    data: IncidenceSeries;
  };
  /** Values of an observation by month. */
  'analytics.observationTrend': {
    method: 'GET';
    path: '/analytics/observation-trend';
    query: AnalyticsObservationTrendQuery;
    body: undefined;
    status: 200;
    data: ObservationTrend;
  };
  /** Summarise the population by age band, sex and condition. */
  'analytics.population': {
    method: 'GET';
    path: '/analytics/population';
    query: AnalyticsPopulationQuery;
    body: undefined;
    status: 200;
    data: PopulationSummary;
  };
  /** Prevalence of a condition over time. */
  'analytics.prevalence': {
    method: 'GET';
    path: '/analytics/prevalence';
    query: AnalyticsPrevalenceQuery;
    body: undefined;
    status: 200;
    data: PrevalenceSeries;
  };
  /** List the quality measures. */
  'qualityMeasures.list': {
    method: 'GET';
    path: '/analytics/quality-measures';
    query: QualityMeasuresListQuery;
    body: undefined;
    status: 200;
    data: QualityMeasurePage;
  };
  /** Evaluate a quality measure. */
  'qualityMeasures.evaluate': {
    method: 'GET';
    path: '/analytics/quality-measures/{measure_id}';
    query: QualityMeasuresEvaluateQuery;
    body: undefined;
    status: 200;
    data: QualityMeasureResult;
  };
  /** Stratify patients by the Charlson comorbidity index. */
  'analytics.riskStratification': {
    method: 'GET';
    path: '/analytics/risk-stratification';
    query: AnalyticsRiskStratificationQuery;
    body: undefined;
    status: 200;
    data: RiskStratification;
  };
  /** List diagnostic records. */
  'diagnostics.list': {
    method: 'GET';
    path: '/diagnostics';
    query: DiagnosticsListQuery;
    body: undefined;
    status: 200;
    data: DiagnosticRecordPage;
  };
  /** Analyze, and keep the result as a diagnostic record. */
  'diagnostics.create': {
    method: 'POST';
    path: '/diagnostics';
    query: Record<string, never>;
    body: DiagnosticRequest;
    status: 201;
    data: DiagnosticRecord;
  };
  /** Analyze symptoms and vital signs. */
  'diagnostics.analyze': {
    method: 'POST';
    path: '/diagnostics/analyze';
    query: Record<string, never>;
    body: AnalysisRequest;
    status: 200;
    data: Analysis;
  };
  /** Analyze many patients; create, update and delete many diagnostic records. */
  'diagnostics.bulk': {
    method: 'POST';
    path: '/diagnostics/bulk';
    query: DiagnosticsBulkQuery;
    body: DiagnosticBulkRequest;
    status: 200;
    data: DiagnosticBulk;
  };
  /** Compare conditions, and say what would separate them. */
  'diagnostics.differential': {
    method: 'POST';
    path: '/diagnostics/differential';
    query: Record<string, never>;
    body: DifferentialRequest;
    status: 200;
    data: Differential;
  };
  /** Read texts: what was recognised, where, and what was not. */
  'diagnostics.parse': {
    method: 'POST';
    path: '/diagnostics/parse';
    query: Record<string, never>;
    body: ParseRequest;
    status: 200;
    data: ParsedText;
  };
  /** Analyze, and tell each stage as it is completed. */
  'diagnostics.stream': {
    method: 'POST';
    path: '/diagnostics/stream';
    query: Record<string, never>;
    body: AnalysisRequest;
    status: 200;
    data: unknown;
  };
  /** Delete a diagnostic record. */
  'diagnostics.delete': {
    method: 'DELETE';
    path: '/diagnostics/{diagnostic_id}';
    query: DiagnosticsDeleteQuery;
    body: undefined;
    status: 204;
    data: undefined;
  };
  /** Get a diagnostic record. */
  'diagnostics.get': {
    method: 'GET';
    path: '/diagnostics/{diagnostic_id}';
    query: DiagnosticsGetQuery;
    body: undefined;
    status: 200;
    data: DiagnosticRecord;
  };
  /** Change the note of a diagnostic record; its result never changes. */
  'diagnostics.update': {
    method: 'PATCH';
    path: '/diagnostics/{diagnostic_id}';
    query: DiagnosticsUpdateQuery;
    body: DiagnosticRecordPatch;
    status: 200;
    data: DiagnosticRecord;
  };
  /** Accept a result, or override it with a diagnosis of your own. */
  'diagnostics.giveFeedback': {
    method: 'POST';
    path: '/diagnostics/{diagnostic_id}/feedback';
    query: DiagnosticsGiveFeedbackQuery;
    body: DiagnosticFeedbackCreate;
    status: 200;
    data: DiagnosticRecord;
  };
  /** Restore a deleted diagnostic record. */
  'diagnostics.restore': {
    method: 'POST';
    path: '/diagnostics/{diagnostic_id}/restore';
    query: DiagnosticsRestoreQuery;
    body: undefined;
    status: 200;
    data: DiagnosticRecord;
  };
  /** Search for instances (QIDO-RS). */
  'dicomweb.instances.search': {
    method: 'GET';
    path: '/dicomweb/instances';
    query: DicomwebInstancesSearchQuery;
    body: undefined;
    status: 200;
    data: unknown;
  };
  /** Search for series (QIDO-RS). */
  'dicomweb.series.search': {
    method: 'GET';
    path: '/dicomweb/series';
    query: DicomwebSeriesSearchQuery;
    body: undefined;
    status: 200;
    data: unknown;
  };
  /** Search for studies (QIDO-RS). */
  'dicomweb.studies.search': {
    method: 'GET';
    path: '/dicomweb/studies';
    query: DicomwebStudiesSearchQuery;
    body: undefined;
    status: 200;
    data: unknown;
  };
  /** Store DICOM files (STOW-RS). */
  'dicomweb.studies.store': {
    method: 'POST';
    path: '/dicomweb/studies';
    query: Record<string, never>;
    body: DicomInstances;
    status: 200;
    data: unknown;
  };
  /** Retrieve the DICOM files of a study (WADO-RS). */
  'dicomweb.studies.retrieve': {
    method: 'GET';
    path: '/dicomweb/studies/{study_uid}';
    query: Record<string, never>;
    body: undefined;
    status: 200;
    data: unknown;
  };
  /** Store DICOM files of one study (STOW-RS). */
  'dicomweb.studies.store_into': {
    method: 'POST';
    path: '/dicomweb/studies/{study_uid}';
    query: Record<string, never>;
    body: DicomInstances;
    status: 200;
    data: unknown;
  };
  /** Search for instances of a study (QIDO-RS). */
  'dicomweb.studies.instances.search': {
    method: 'GET';
    path: '/dicomweb/studies/{study_uid}/instances';
    query: DicomwebStudiesInstancesSearchQuery;
    body: undefined;
    status: 200;
    data: unknown;
  };
  /** Get the data sets of a study without pixels (WADO-RS). */
  'dicomweb.studies.metadata': {
    method: 'GET';
    path: '/dicomweb/studies/{study_uid}/metadata';
    query: Record<string, never>;
    body: undefined;
    status: 200;
    data: unknown;
  };
  /** Search for series of a study (QIDO-RS). */
  'dicomweb.studies.series.search': {
    method: 'GET';
    path: '/dicomweb/studies/{study_uid}/series';
    query: DicomwebStudiesSeriesSearchQuery;
    body: undefined;
    status: 200;
    data: unknown;
  };
  /** Retrieve the DICOM files of a series (WADO-RS). */
  'dicomweb.series.retrieve': {
    method: 'GET';
    path: '/dicomweb/studies/{study_uid}/series/{series_uid}';
    query: Record<string, never>;
    body: undefined;
    status: 200;
    data: unknown;
  };
  /** Search for instances of a series (QIDO-RS). */
  'dicomweb.series.instances.search': {
    method: 'GET';
    path: '/dicomweb/studies/{study_uid}/series/{series_uid}/instances';
    query: DicomwebSeriesInstancesSearchQuery;
    body: undefined;
    status: 200;
    data: unknown;
  };
  /** Retrieve a DICOM file (WADO-RS). */
  'dicomweb.instances.retrieve': {
    method: 'GET';
    path: '/dicomweb/studies/{study_uid}/series/{series_uid}/instances/{instance_uid}';
    query: Record<string, never>;
    body: undefined;
    status: 200;
    data: unknown;
  };
  /** Retrieve frames as bytes (WADO-RS). */
  'dicomweb.frames.retrieve': {
    method: 'GET';
    path: '/dicomweb/studies/{study_uid}/series/{series_uid}/instances/{instance_uid}/frames/{frames}';
    query: Record<string, never>;
    body: undefined;
    status: 200;
    data: unknown;
  };
  /** Get the data set of an instance without pixels (WADO-RS). */
  'dicomweb.instances.metadata': {
    method: 'GET';
    path: '/dicomweb/studies/{study_uid}/series/{series_uid}/instances/{instance_uid}/metadata';
    query: Record<string, never>;
    body: undefined;
    status: 200;
    data: unknown;
  };
  /** Look at an instance as PNG or JPEG (WADO-RS). */
  'dicomweb.instances.rendered': {
    method: 'GET';
    path: '/dicomweb/studies/{study_uid}/series/{series_uid}/instances/{instance_uid}/rendered';
    query: DicomwebInstancesRenderedQuery;
    body: undefined;
    status: 200;
    data: unknown;
  };
  /** Get the data sets of a series without pixels (WADO-RS). */
  'dicomweb.series.metadata': {
    method: 'GET';
    path: '/dicomweb/studies/{study_uid}/series/{series_uid}/metadata';
    query: Record<string, never>;
    body: undefined;
    status: 200;
    data: unknown;
  };
  /** List events. */
  'events.list': {
    method: 'GET';
    path: '/events';
    query: EventsListQuery;
    body: undefined;
    status: 200;
    data: EventPage;
  };
  /** Get an event. */
  'events.get': {
    method: 'GET';
    path: '/events/{event_id}';
    query: EventsGetQuery;
    body: undefined;
    status: 200;
    data: Event;
  };
  /** List imaging studies. */
  'imaging.studies.list': {
    method: 'GET';
    path: '/imaging/studies';
    query: ImagingStudiesListQuery;
    body: undefined;
    status: 200;
    data: ImagingStudyPage;
  };
  /** Upload a DICOM, PNG or JPEG file. */
  'imaging.studies.create': {
    method: 'POST';
    path: '/imaging/studies';
    query: ImagingStudiesCreateQuery;
    body: ImagingUpload;
    status: 201;
    data: ImagingStudy;
  };
  /** Delete a study, its files and its results for good. */
  'imaging.studies.delete': {
    method: 'DELETE';
    path: '/imaging/studies/{study_id}';
    query: Record<string, never>;
    body: undefined;
    status: 204;
    data: undefined;
  };
  /** Get an imaging study. */
  'imaging.studies.get': {
    method: 'GET';
    path: '/imaging/studies/{study_id}';
    query: Record<string, never>;
    body: undefined;
    status: 200;
    data: ImagingStudy;
  };
  /** Say of whom a study is, or what it is called. */
  'imaging.studies.update': {
    method: 'PATCH';
    path: '/imaging/studies/{study_id}';
    query: Record<string, never>;
    body: ImagingStudyPatch;
    status: 200;
    data: ImagingStudy;
  };
  /** Analyse an image of a study. */
  'imaging.studies.analyze': {
    method: 'POST';
    path: '/imaging/studies/{study_id}/analyze';
    query: Record<string, never>;
    body: ImagingAnalysisRequest;
    status: 200;
    data: ImagingAnalysisAnswer;
  };
  /** Make a copy of a study without what tells who it is of. */
  'imaging.studies.deidentify': {
    method: 'POST';
    path: '/imaging/studies/{study_id}/deidentify';
    query: Record<string, never>;
    body: undefined;
    status: 201;
    data: ImagingStudy;
  };
  /** List the files of a study. */
  'imaging.instances.list': {
    method: 'GET';
    path: '/imaging/studies/{study_id}/instances';
    query: ImagingInstancesListQuery;
    body: undefined;
    status: 200;
    data: ImagingInstancePage;
  };
  /** Download a file of a study, whole or in part. */
  'imaging.instances.download': {
    method: 'GET';
    path: '/imaging/studies/{study_id}/instances/{instance_id}/content';
    query: Record<string, never>;
    body: undefined;
    status: 200;
    data: unknown;
  };
  /** Look at a study as a PNG. */
  'imaging.studies.preview': {
    method: 'GET';
    path: '/imaging/studies/{study_id}/preview';
    query: ImagingStudiesPreviewQuery;
    body: undefined;
    status: 200;
    data: unknown;
  };
  /** List what analyses of a study have seen. */
  'imaging.results.list': {
    method: 'GET';
    path: '/imaging/studies/{study_id}/results';
    query: ImagingResultsListQuery;
    body: undefined;
    status: 200;
    data: DiagnosticRecordPage;
  };
  /** Get what an analysis of a study has seen. */
  'imaging.results.get': {
    method: 'GET';
    path: '/imaging/studies/{study_id}/results/{result_id}';
    query: Record<string, never>;
    body: undefined;
    status: 200;
    data: DiagnosticRecord;
  };
  /** Look at a study as a small PNG. */
  'imaging.studies.thumbnail': {
    method: 'GET';
    path: '/imaging/studies/{study_id}/thumbnail';
    query: ImagingStudiesThumbnailQuery;
    body: undefined;
    status: 200;
    data: unknown;
  };
  /** List jobs, newest first. */
  'jobs.list': {
    method: 'GET';
    path: '/jobs';
    query: JobsListQuery;
    body: undefined;
    status: 200;
    data: JobPage;
  };
  /** Read a job and how far it has come. */
  'jobs.get': {
    method: 'GET';
    path: '/jobs/{job_id}';
    query: JobsGetQuery;
    body: undefined;
    status: 200;
    data: Job;
  };
  /** Cancel a job; what it has done stays done. */
  'jobs.cancel': {
    method: 'POST';
    path: '/jobs/{job_id}/cancel';
    query: JobsCancelQuery;
    body: undefined;
    status: 200;
    data: Job;
  };
  /** Read what came out of a job, one result a line. */
  'jobs.result': {
    method: 'GET';
    path: '/jobs/{job_id}/result';
    query: JobsResultQuery;
    body: undefined;
    status: 200;
    data: JobResult;
  };
  /** Get what the knowledge base holds, and its version. */
  'knowledge.get': {
    method: 'GET';
    path: '/knowledge';
    query: Record<string, never>;
    body: undefined;
    status: 200;
    data: KnowledgeBase;
  };
  /** List conditions. */
  'knowledgeConditions.list': {
    method: 'GET';
    path: '/knowledge/conditions';
    query: KnowledgeConditionsListQuery;
    body: undefined;
    status: 200;
    data: KnowledgeConditionPage;
  };
  /** Get a condition. */
  'knowledgeConditions.get': {
    method: 'GET';
    path: '/knowledge/conditions/{condition_id}';
    query: Record<string, never>;
    body: undefined;
    status: 200;
    data: KnowledgeCondition;
  };
  /** List findings. */
  'knowledgeFindings.list': {
    method: 'GET';
    path: '/knowledge/findings';
    query: KnowledgeFindingsListQuery;
    body: undefined;
    status: 200;
    data: KnowledgeFindingPage;
  };
  /** Get a finding. */
  'knowledgeFindings.get': {
    method: 'GET';
    path: '/knowledge/findings/{finding_id}';
    query: Record<string, never>;
    body: undefined;
    status: 200;
    data: KnowledgeFinding;
  };
  /** Get what the knowledge graph is made of. */
  'knowledgeGraph.get': {
    method: 'GET';
    path: '/knowledge/graph';
    query: Record<string, never>;
    body: undefined;
    status: 200;
    data: KnowledgeGraph;
  };
  /** Get what conditions share and what separates them. */
  'knowledgeGraph.differential': {
    method: 'POST';
    path: '/knowledge/graph/differential';
    query: Record<string, never>;
    body: DifferentialGraphRequest;
    status: 200;
    data: DifferentialGraph;
  };
  /** List entities of the knowledge graph. */
  'knowledgeGraph.listEntities': {
    method: 'GET';
    path: '/knowledge/graph/entities';
    query: KnowledgeGraphListEntitiesQuery;
    body: undefined;
    status: 200;
    data: KnowledgeItemPage;
  };
  /** Get an entity and the number of its relationships. */
  'knowledgeGraph.getEntity': {
    method: 'GET';
    path: '/knowledge/graph/entities/{entity_id}';
    query: Record<string, never>;
    body: undefined;
    status: 200;
    data: GraphEntity;
  };
  /** List the neighbours of an entity. */
  'knowledgeGraph.listNeighbours': {
    method: 'GET';
    path: '/knowledge/graph/entities/{entity_id}/neighbours';
    query: KnowledgeGraphListNeighboursQuery;
    body: undefined;
    status: 200;
    data: GraphNeighbourPage;
  };
  /** List all ways between two entities up to a length, shortest first. */
  'knowledgeGraph.listPaths': {
    method: 'GET';
    path: '/knowledge/graph/paths';
    query: KnowledgeGraphListPathsQuery;
    body: undefined;
    status: 200;
    data: GraphPathPage;
  };
  /** Get what the knowledge graph knows around a patient’s records. */
  'knowledgeGraph.patient': {
    method: 'GET';
    path: '/knowledge/graph/patients/{patient_id}';
    query: KnowledgeGraphPatientQuery;
    body: undefined;
    status: 200;
    data: PatientGraph;
  };
  /** Find a shortest way between two entities. */
  'knowledgeGraph.shortestPath': {
    method: 'GET';
    path: '/knowledge/graph/shortest-path';
    query: KnowledgeGraphShortestPathQuery;
    body: undefined;
    status: 200;
    data: GraphShortestPath;
  };
  /** List guidelines. */
  'knowledgeGuidelines.list': {
    method: 'GET';
    path: '/knowledge/guidelines';
    query: KnowledgeGuidelinesListQuery;
    body: undefined;
    status: 200;
    data: KnowledgeGuidelinePage;
  };
  /** Get a guideline. */
  'knowledgeGuidelines.get': {
    method: 'GET';
    path: '/knowledge/guidelines/{guideline_id}';
    query: Record<string, never>;
    body: undefined;
    status: 200;
    data: KnowledgeGuideline;
  };
  /** List what has to do with an entry, closest first. */
  'knowledge.related': {
    method: 'GET';
    path: '/knowledge/items/{entity_id}/related';
    query: KnowledgeRelatedQuery;
    body: undefined;
    status: 200;
    data: KnowledgeRelatedPage;
  };
  /** List medications. */
  'knowledgeMedications.list': {
    method: 'GET';
    path: '/knowledge/medications';
    query: KnowledgeMedicationsListQuery;
    body: undefined;
    status: 200;
    data: KnowledgeMedicationPage;
  };
  /** Get a medication. */
  'knowledgeMedications.get': {
    method: 'GET';
    path: '/knowledge/medications/{medication_id}';
    query: Record<string, never>;
    body: undefined;
    status: 200;
    data: KnowledgeMedication;
  };
  /** List red-flag rules. */
  'knowledgeRedFlags.list': {
    method: 'GET';
    path: '/knowledge/red-flags';
    query: KnowledgeRedFlagsListQuery;
    body: undefined;
    status: 200;
    data: KnowledgeRedFlagPage;
  };
  /** Get a red-flag rule. */
  'knowledgeRedFlags.get': {
    method: 'GET';
    path: '/knowledge/red-flags/{red_flag_id}';
    query: Record<string, never>;
    body: undefined;
    status: 200;
    data: KnowledgeRedFlag;
  };
  /** Search everything, best matches first. */
  'knowledge.search': {
    method: 'GET';
    path: '/knowledge/search';
    query: KnowledgeSearchQuery;
    body: undefined;
    status: 200;
    data: KnowledgeMatchPage;
  };
  /** List treatments. */
  'knowledgeTreatments.list': {
    method: 'GET';
    path: '/knowledge/treatments';
    query: KnowledgeTreatmentsListQuery;
    body: undefined;
    status: 200;
    data: KnowledgeTreatmentPage;
  };
  /** Get a treatment. */
  'knowledgeTreatments.get': {
    method: 'GET';
    path: '/knowledge/treatments/{treatment_id}';
    query: Record<string, never>;
    body: undefined;
    status: 200;
    data: KnowledgeTreatment;
  };
  /** Check a medication list for interactions. */
  'medications.checkInteractions': {
    method: 'POST';
    path: '/medications/interactions';
    query: Record<string, never>;
    body: InteractionCheckRequest;
    status: 200;
    data: InteractionCheck;
  };
  /** List recorded overrides. */
  'interactionOverrides.list': {
    method: 'GET';
    path: '/medications/interactions/overrides';
    query: InteractionOverridesListQuery;
    body: undefined;
    status: 200;
    data: InteractionOverridePage;
  };
  /** Record that an interaction was overridden, and why. */
  'interactionOverrides.create': {
    method: 'POST';
    path: '/medications/interactions/overrides';
    query: Record<string, never>;
    body: InteractionOverrideCreate;
    status: 201;
    data: InteractionOverride;
  };
  /** Get a recorded override. */
  'interactionOverrides.get': {
    method: 'GET';
    path: '/medications/interactions/overrides/{override_id}';
    query: Record<string, never>;
    body: undefined;
    status: 200;
    data: InteractionOverride;
  };
  /** Identify medications by name or code. */
  'medications.resolve': {
    method: 'POST';
    path: '/medications/resolve';
    query: Record<string, never>;
    body: MedicationResolveRequest;
    status: 200;
    data: MedicationResolution;
  };
  /** List patients. */
  'patients.list': {
    method: 'GET';
    path: '/patients';
    query: PatientsListQuery;
    body: undefined;
    status: 200;
    data: PatientPage;
  };
  /** Create a patient. */
  'patients.create': {
    method: 'POST';
    path: '/patients';
    query: Record<string, never>;
    body: PatientCreate;
    status: 201;
    data: Patient;
  };
  /** Create, update and delete many patients. */
  'patients.bulk': {
    method: 'POST';
    path: '/patients/bulk';
    query: PatientsBulkQuery;
    body: PatientBulkRequest;
    status: 200;
    data: PatientBulk;
  };
  /** List deleted patients that can be restored. */
  'patients.listDeleted': {
    method: 'GET';
    path: '/patients/deleted';
    query: PatientsListDeletedQuery;
    body: undefined;
    status: 200;
    data: DeletedPatientPage;
  };
  /** Export patients, one a line. */
  'patients.export': {
    method: 'GET';
    path: '/patients/export';
    query: PatientsExportQuery;
    body: undefined;
    status: 200;
    data: Patient;
  };
  /** Search patients, best matches first. */
  'patients.search': {
    method: 'GET';
    path: '/patients/search';
    query: PatientsSearchQuery;
    body: undefined;
    status: 200;
    data: PatientMatchPage;
  };
  /** Delete a patient; it can be restored. */
  'patients.delete': {
    method: 'DELETE';
    path: '/patients/{patient_id}';
    query: Record<string, never>;
    body: undefined;
    status: 204;
    data: undefined;
  };
  /** Get a patient. */
  'patients.get': {
    method: 'GET';
    path: '/patients/{patient_id}';
    query: Record<string, never>;
    body: undefined;
    status: 200;
    data: Patient;
  };
  /** Update parts of a patient. */
  'patients.update': {
    method: 'PATCH';
    path: '/patients/{patient_id}';
    query: Record<string, never>;
    body: PatientPatch;
    status: 200;
    data: Patient;
  };
  /** Replace a patient. */
  'patients.replace': {
    method: 'PUT';
    path: '/patients/{patient_id}';
    query: Record<string, never>;
    body: PatientReplace;
    status: 200;
    data: Patient;
  };
  /** List who changed a patient, when and in which fields. */
  'patients.history': {
    method: 'GET';
    path: '/patients/{patient_id}/history';
    query: PatientsHistoryQuery;
    body: undefined;
    status: 200;
    data: PatientChangePage;
  };
  /** List the records of a patient. */
  'records.list': {
    method: 'GET';
    path: '/patients/{patient_id}/records';
    query: RecordsListQuery;
    body: undefined;
    status: 200;
    data: MedicalRecordPage;
  };
  /** Add a record to a patient. */
  'records.create': {
    method: 'POST';
    path: '/patients/{patient_id}/records';
    query: Record<string, never>;
    body: MedicalRecordCreate;
    status: 201;
    data: MedicalRecord;
  };
  /** Delete a record. */
  'records.delete': {
    method: 'DELETE';
    path: '/patients/{patient_id}/records/{record_id}';
    query: Record<string, never>;
    body: undefined;
    status: 204;
    data: undefined;
  };
  /** Get a record. */
  'records.get': {
    method: 'GET';
    path: '/patients/{patient_id}/records/{record_id}';
    query: Record<string, never>;
    body: undefined;
    status: 200;
    data: MedicalRecord;
  };
  /** Correct parts of a record; what it said before is kept. */
  'records.update': {
    method: 'PATCH';
    path: '/patients/{patient_id}/records/{record_id}';
    query: Record<string, never>;
    body: MedicalRecordPatch;
    status: 200;
    data: MedicalRecord;
  };
  /** Correct a record as a whole; what it said before is kept. */
  'records.replace': {
    method: 'PUT';
    path: '/patients/{patient_id}/records/{record_id}';
    query: Record<string, never>;
    body: MedicalRecordReplace;
    status: 200;
    data: MedicalRecord;
  };
  /** List the attachments of a record. */
  'attachments.list': {
    method: 'GET';
    path: '/patients/{patient_id}/records/{record_id}/attachments';
    query: AttachmentsListQuery;
    body: undefined;
    status: 200;
    data: AttachmentPage;
  };
  /** Upload a file to a record. */
  'attachments.create': {
    method: 'POST';
    path: '/patients/{patient_id}/records/{record_id}/attachments';
    query: Record<string, never>;
    body: AttachmentUpload;
    status: 201;
    data: Attachment;
  };
  /** Delete an attachment for good. */
  'attachments.delete': {
    method: 'DELETE';
    path: '/patients/{patient_id}/records/{record_id}/attachments/{attachment_id}';
    query: Record<string, never>;
    body: undefined;
    status: 204;
    data: undefined;
  };
  /** Get what is known of an attachment. */
  'attachments.get': {
    method: 'GET';
    path: '/patients/{patient_id}/records/{record_id}/attachments/{attachment_id}';
    query: Record<string, never>;
    body: undefined;
    status: 200;
    data: Attachment;
  };
  /** Change the name or the description of an attachment. */
  'attachments.update': {
    method: 'PATCH';
    path: '/patients/{patient_id}/records/{record_id}/attachments/{attachment_id}';
    query: Record<string, never>;
    body: AttachmentPatch;
    status: 200;
    data: Attachment;
  };
  /** Download an attachment, whole or in part. */
  'attachments.download': {
    method: 'GET';
    path: '/patients/{patient_id}/records/{record_id}/attachments/{attachment_id}/content';
    query: Record<string, never>;
    body: undefined;
    status: 200;
    data: unknown;
  };
  /** List what a record said before and who corrected it. */
  'records.history': {
    method: 'GET';
    path: '/patients/{patient_id}/records/{record_id}/history';
    query: RecordsHistoryQuery;
    body: undefined;
    status: 200;
    data: RecordVersionPage;
  };
  /** Restore a deleted record. */
  'records.restore': {
    method: 'POST';
    path: '/patients/{patient_id}/records/{record_id}/restore';
    query: Record<string, never>;
    body: undefined;
    status: 200;
    data: MedicalRecord;
  };
  /** Restore a deleted patient with records and attachments. */
  'patients.restore': {
    method: 'POST';
    path: '/patients/{patient_id}/restore';
    query: Record<string, never>;
    body: undefined;
    status: 200;
    data: Patient;
  };
  /** List records of all patients. */
  'records.query': {
    method: 'GET';
    path: '/records';
    query: RecordsQueryQuery;
    body: undefined;
    status: 200;
    data: MedicalRecordPage;
  };
  /** Export records of all patients, one a line. */
  'records.export': {
    method: 'GET';
    path: '/records/export';
    query: RecordsExportQuery;
    body: undefined;
    status: 200;
    data: MedicalRecord;
  };
  /** Convert a value between UCUM units. */
  'units.convert': {
    method: 'GET';
    path: '/units/convert';
    query: UnitsConvertQuery;
    body: undefined;
    status: 200;
    data: UnitConversion;
  };
  /** List webhook subscriptions. */
  'webhooks.list': {
    method: 'GET';
    path: '/webhooks';
    query: WebhooksListQuery;
    body: undefined;
    status: 200;
    data: WebhookSubscriptionPage;
  };
  /** Subscribe to events. */
  'webhooks.create': {
    method: 'POST';
    path: '/webhooks';
    query: Record<string, never>;
    body: WebhookSubscriptionCreate;
    status: 201;
    data: WebhookSecret;
  };
  /** Delete a subscription, and what waits to be sent to it. */
  'webhooks.delete': {
    method: 'DELETE';
    path: '/webhooks/{webhook_id}';
    query: Record<string, never>;
    body: undefined;
    status: 204;
    data: undefined;
  };
  /** Get a subscription. */
  'webhooks.get': {
    method: 'GET';
    path: '/webhooks/{webhook_id}';
    query: Record<string, never>;
    body: undefined;
    status: 200;
    data: WebhookSubscription;
  };
  /** Change a subscription. */
  'webhooks.update': {
    method: 'PATCH';
    path: '/webhooks/{webhook_id}';
    query: Record<string, never>;
    body: WebhookSubscriptionPatch;
    status: 200;
    data: WebhookSubscription;
  };
  /** List the deliveries of a subscription. */
  'webhooks.listDeliveries': {
    method: 'GET';
    path: '/webhooks/{webhook_id}/deliveries';
    query: WebhooksListDeliveriesQuery;
    body: undefined;
    status: 200;
    data: WebhookDeliveryPage;
  };
  /** Get a delivery. */
  'webhooks.getDelivery': {
    method: 'GET';
    path: '/webhooks/{webhook_id}/deliveries/{delivery_id}';
    query: Record<string, never>;
    body: undefined;
    status: 200;
    data: WebhookDelivery;
  };
  /** List the attempts of a delivery. */
  'webhooks.listAttempts': {
    method: 'GET';
    path: '/webhooks/{webhook_id}/deliveries/{delivery_id}/attempts';
    query: WebhooksListAttemptsQuery;
    body: undefined;
    status: 200;
    data: WebhookAttemptPage;
  };
  /** Send a delivery again, with the same identifier and the same bytes. */
  'webhooks.resend': {
    method: 'POST';
    path: '/webhooks/{webhook_id}/deliveries/{delivery_id}/resend';
    query: Record<string, never>;
    body: undefined;
    status: 202;
    data: WebhookDelivery;
  };
  /** Pause a subscription; what waits is held, and new events can be replayed later. */
  'webhooks.pause': {
    method: 'POST';
    path: '/webhooks/{webhook_id}/pause';
    query: Record<string, never>;
    body: undefined;
    status: 200;
    data: WebhookSubscription;
  };
  /** Send one event, or those of a time, to a subscription again. */
  'webhooks.replay': {
    method: 'POST';
    path: '/webhooks/{webhook_id}/replay';
    query: Record<string, never>;
    body: WebhookReplayRequest;
    status: 202;
    data: WebhookReplay;
  };
  /** Serve a paused or disabled subscription again, beginning with what was held. */
  'webhooks.resume': {
    method: 'POST';
    path: '/webhooks/{webhook_id}/resume';
    query: Record<string, never>;
    body: undefined;
    status: 200;
    data: WebhookSubscription;
  };
  /** Replace the secret; both sign during the overlap. */
  'webhooks.rotateSecret': {
    method: 'POST';
    path: '/webhooks/{webhook_id}/rotate-secret';
    query: Record<string, never>;
    body: SecretRotationRequest;
    status: 200;
    data: WebhookSecret;
  };
  /** Send an event of the kind webhook.test. */
  'webhooks.test': {
    method: 'POST';
    path: '/webhooks/{webhook_id}/test';
    query: Record<string, never>;
    body: undefined;
    status: 202;
    data: WebhookDelivery;
  };
}

