/* Types of release 2022-05-01, written by `npm run release -- lock`. Do not edit.
   Digests: openapi.json 0196c99b2c98a280, this text f9edd92975785616. */

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
 * One entry of a patient’s history; `type` says what else it has. A patch names the type as well.
 */
export type MedicalRecord =
  ConditionRecord | MedicationRecord | AllergyRecord | ObservationRecord | ProcedureRecord | NoteRecord;
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
  AnalysisOptions: AnalysisOptions;
  AnalysisRequest: AnalysisRequest;
  AnalyticsSource: AnalyticsSource;
  AnyOfCriterion: AnyOfCriterion;
  AnyOfCriterionCreate: AnyOfCriterionCreate;
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
  ConditionCount: ConditionCount;
  ConditionRecord: ConditionRecord;
  ConditionRecordCreate: ConditionRecordCreate;
  ConditionRecordPatch: ConditionRecordPatch;
  DeletedPatient: DeletedPatient;
  DeletedPatientPage: DeletedPatientPage;
  DiagnosticFeedback: DiagnosticFeedback;
  DiagnosticFeedbackCreate: DiagnosticFeedbackCreate;
  DiagnosticRecord: DiagnosticRecord;
  DiagnosticRecordPage: DiagnosticRecordPage;
  DiagnosticRecordPatch: DiagnosticRecordPatch;
  DiagnosticRequest: DiagnosticRequest;
  DisclosureControl: DisclosureControl;
  ErrorBody: ErrorBody;
  ErrorEnvelope: ErrorEnvelope;
  IncidencePoint: IncidencePoint;
  IncidenceSeries: IncidenceSeries;
  KnowledgeBase: KnowledgeBase;
  KnowledgeCode: KnowledgeCode;
  KnowledgeCondition: KnowledgeCondition;
  KnowledgeConditionPage: KnowledgeConditionPage;
  KnowledgeFinding: KnowledgeFinding;
  KnowledgeFindingPage: KnowledgeFindingPage;
  KnowledgeGuideline: KnowledgeGuideline;
  KnowledgeGuidelinePage: KnowledgeGuidelinePage;
  KnowledgeHighlight: KnowledgeHighlight;
  KnowledgeIncidence: KnowledgeIncidence;
  KnowledgeItem: KnowledgeItem;
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
  MedicationRecord: MedicationRecord;
  MedicationRecordCreate: MedicationRecordCreate;
  MedicationRecordPatch: MedicationRecordPatch;
  NoteRecord: NoteRecord;
  NoteRecordCreate: NoteRecordCreate;
  NoteRecordPatch: NoteRecordPatch;
  ObservationComponent: ObservationComponent;
  ObservationComponentCreate: ObservationComponentCreate;
  ObservationRecord: ObservationRecord;
  ObservationRecordCreate: ObservationRecordCreate;
  ObservationRecordPatch: ObservationRecordPatch;
  ObservationTrend: ObservationTrend;
  ParseRequest: ParseRequest;
  ParsedFinding: ParsedFinding;
  ParsedMedication: ParsedMedication;
  ParsedText: ParsedText;
  ParsedVitalSign: ParsedVitalSign;
  Patient: Patient;
  PatientChange: PatientChange;
  PatientChangePage: PatientChangePage;
  PatientCreate: PatientCreate;
  PatientCriterion: PatientCriterion;
  PatientCriterionCreate: PatientCriterionCreate;
  PatientMatch: PatientMatch;
  PatientMatchPage: PatientMatchPage;
  PatientPage: PatientPage;
  PatientPatch: PatientPatch;
  PatientReplace: PatientReplace;
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
  RecordCriterion: RecordCriterion;
  RecordCriterionCreate: RecordCriterionCreate;
  RecordVersion: RecordVersion;
  RecordVersionPage: RecordVersionPage;
  ReferenceRange: ReferenceRange;
  ReferenceRangeCreate: ReferenceRangeCreate;
  ReferenceRangePatch: ReferenceRangePatch;
  ResponseMeta: ResponseMeta;
  RiskComponent: RiskComponent;
  RiskGroup: RiskGroup;
  RiskStratification: RiskStratification;
  SexCount: SexCount;
  TextSpan: TextSpan;
  TrendPoint: TrendPoint;
  UnitConversion: UnitConversion;
  VersionErrorEnvelope: VersionErrorEnvelope;
  CohortsListQuery: CohortsListQuery;
  AnalyticsIncidenceQuery: AnalyticsIncidenceQuery;
  AnalyticsObservationTrendQuery: AnalyticsObservationTrendQuery;
  AnalyticsPopulationQuery: AnalyticsPopulationQuery;
  AnalyticsPrevalenceQuery: AnalyticsPrevalenceQuery;
  QualityMeasuresListQuery: QualityMeasuresListQuery;
  QualityMeasuresEvaluateQuery: QualityMeasuresEvaluateQuery;
  AnalyticsRiskStratificationQuery: AnalyticsRiskStratificationQuery;
  DiagnosticsListQuery: DiagnosticsListQuery;
  KnowledgeConditionsListQuery: KnowledgeConditionsListQuery;
  KnowledgeFindingsListQuery: KnowledgeFindingsListQuery;
  KnowledgeGuidelinesListQuery: KnowledgeGuidelinesListQuery;
  KnowledgeRelatedQuery: KnowledgeRelatedQuery;
  KnowledgeMedicationsListQuery: KnowledgeMedicationsListQuery;
  KnowledgeRedFlagsListQuery: KnowledgeRedFlagsListQuery;
  KnowledgeSearchQuery: KnowledgeSearchQuery;
  KnowledgeTreatmentsListQuery: KnowledgeTreatmentsListQuery;
  PatientsListQuery: PatientsListQuery;
  PatientsListDeletedQuery: PatientsListDeletedQuery;
  PatientsExportQuery: PatientsExportQuery;
  PatientsSearchQuery: PatientsSearchQuery;
  PatientsHistoryQuery: PatientsHistoryQuery;
  RecordsListQuery: RecordsListQuery;
  RecordsHistoryQuery: RecordsHistoryQuery;
  RecordsQueryQuery: RecordsQueryQuery;
  RecordsExportQuery: RecordsExportQuery;
  UnitsConvertQuery: UnitsConvertQuery;
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
  field: 'dob' | 'gender' | 'gender_identity' | 'contact.email' | 'contact.phone' | 'contact_info.preferred_method';
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
  field: 'dob' | 'gender' | 'gender_identity' | 'contact.email' | 'contact.phone' | 'contact_info.preferred_method';
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
  /**
   * Suggested conditions, most likely first.
   */
  analysis_result: {
    /**
     * Name of the condition.
     */
    condition: string;
    /**
     * Names of usual treatments.
     */
    treatments: string[];
  }[];
  /**
   * False where nothing that was sent was understood; no suggestion is then no all-clear.
   */
  understood?: boolean;
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
   * Entries in the whole list.
   */
  total: number;
  /**
   * Entries skipped before this page.
   */
  offset: number;
  /**
   * Most entries on a page.
   */
  limit: number;
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
  gender: 'female' | 'male' | 'other' | 'unknown' | null;
  /**
   * How to reach the patient.
   */
  contact: {
    /**
     * Email address.
     */
    email: string | null;
    /**
     * Telephone number as given.
     */
    phone: string | null;
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
   * Entries in the whole list.
   */
  total: number;
  /**
   * Entries skipped before this page.
   */
  offset: number;
  /**
   * Most entries on a page.
   */
  limit: number;
  minItems?: 0;
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
 * The result of an analysis that was kept.
 */
export interface DiagnosticRecord {
  /**
   * Identifier of the record and of its result.
   */
  id: string;
  /**
   * The patient it is about.
   */
  patient_id: string;
  /**
   * What it is the result of.
   */
  kind: 'analysis' | 'differential';
  /**
   * State: `completed` until a clinician has accepted or overridden the result.
   */
  status: 'completed' | 'accepted' | 'overridden';
  patientData: ClinicalData1;
  /**
   * Suggested conditions, most likely first.
   */
  analysis_result: {
    /**
     * Name of the condition.
     */
    condition: string;
    /**
     * Names of usual treatments.
     */
    treatments: string[];
  }[];
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
 * Clinical data of the patient; at least one symptom or vital sign.
 */
export interface ClinicalData1 {
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
   * Entries in the whole list.
   */
  total: number;
  /**
   * Entries skipped before this page.
   */
  offset: number;
  /**
   * Most entries on a page.
   */
  limit: number;
  minItems?: 0;
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
   * The patient it is about.
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
   * What the analysis was given.
   */
  patientData?: {
    [k: string]: unknown;
  };
  /**
   * Suggested conditions, most likely first.
   */
  analysis_result?: {
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
   * Entries in the whole list.
   */
  total: number;
  /**
   * Entries skipped before this page.
   */
  offset: number;
  /**
   * Most entries on a page.
   */
  limit: number;
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
   * Entries in the whole list.
   */
  total: number;
  /**
   * Entries skipped before this page.
   */
  offset: number;
  /**
   * Most entries on a page.
   */
  limit: number;
  minItems?: 0;
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
   * Entries in the whole list.
   */
  total: number;
  /**
   * Entries skipped before this page.
   */
  offset: number;
  /**
   * Most entries on a page.
   */
  limit: number;
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
   * Entries in the whole list.
   */
  total: number;
  /**
   * Entries skipped before this page.
   */
  offset: number;
  /**
   * Most entries on a page.
   */
  limit: number;
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
   * Entries in the whole list.
   */
  total: number;
  /**
   * Entries skipped before this page.
   */
  offset: number;
  /**
   * Most entries on a page.
   */
  limit: number;
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
   * Entries in the whole list.
   */
  total: number;
  /**
   * Entries skipped before this page.
   */
  offset: number;
  /**
   * Most entries on a page.
   */
  limit: number;
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
   * Entries in the whole list.
   */
  total: number;
  /**
   * Entries skipped before this page.
   */
  offset: number;
  /**
   * Most entries on a page.
   */
  limit: number;
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
   * Entries in the whole list.
   */
  total: number;
  /**
   * Entries skipped before this page.
   */
  offset: number;
  /**
   * Most entries on a page.
   */
  limit: number;
  minItems?: 0;
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
   * Entries in the whole list.
   */
  total: number;
  /**
   * Entries skipped before this page.
   */
  offset: number;
  /**
   * Most entries on a page.
   */
  limit: number;
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
   * Entries in the whole list.
   */
  total: number;
  /**
   * Entries skipped before this page.
   */
  offset: number;
  /**
   * Most entries on a page.
   */
  limit: number;
  minItems?: 0;
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
  gender?: 'female' | 'male' | 'other' | 'unknown' | null;
  /**
   * How to reach the patient.
   */
  contact?: {
    /**
     * Email address.
     */
    email?: string | null;
    /**
     * Telephone number as given.
     */
    phone?: string | null;
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
   * Entries in the whole list.
   */
  total: number;
  /**
   * Entries skipped before this page.
   */
  offset: number;
  /**
   * Most entries on a page.
   */
  limit: number;
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
   * Entries in the whole list.
   */
  total: number;
  /**
   * Entries skipped before this page.
   */
  offset: number;
  /**
   * Most entries on a page.
   */
  limit: number;
  minItems?: 0;
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
  gender?: 'female' | 'male' | 'other' | 'unknown' | null;
  /**
   * How to reach the patient.
   */
  contact?: {
    /**
     * Email address.
     */
    email?: string | null;
    /**
     * Telephone number as given.
     */
    phone?: string | null;
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
  gender?: 'female' | 'male' | 'other' | 'unknown' | null;
  /**
   * How to reach the patient.
   */
  contact?: {
    /**
     * Email address.
     */
    email?: string | null;
    /**
     * Telephone number as given.
     */
    phone?: string | null;
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
   * Entries in the whole list.
   */
  total: number;
  /**
   * Entries skipped before this page.
   */
  offset: number;
  /**
   * Most entries on a page.
   */
  limit: number;
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
   * Entries in the whole list.
   */
  total: number;
  /**
   * Entries skipped before this page.
   */
  offset: number;
  /**
   * Most entries on a page.
   */
  limit: number;
  minItems?: 0;
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
 * Query of `cohorts.list`.
 */
export interface CohortsListQuery {
  /**
   * Entries per page.
   */
  limit?: number;
  /**
   * Fields to order by, separated by commas; a minus sign before one reverses it. Ties are ordered by id. One or more of created_at, updated_at, name.
   */
  sort?: string;
  /**
   * Part of the name, upper and lower case alike.
   */
  name?: string;
  /**
   * Entries to skip.
   */
  offset?: number;
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
   * Fields to order by, separated by commas; a minus sign before one reverses it. Ties are ordered by id. One or more of id, title.
   */
  sort?: string;
  /**
   * Entries to skip.
   */
  offset?: number;
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
  kind?: 'analysis' | 'differential';
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
   * Entries to skip.
   */
  offset?: number;
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
  /**
   * Entries to skip.
   */
  offset?: number;
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
  /**
   * Entries to skip.
   */
  offset?: number;
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
  /**
   * Entries to skip.
   */
  offset?: number;
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
   * Entries to skip.
   */
  offset?: number;
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
  /**
   * Entries to skip.
   */
  offset?: number;
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
  /**
   * Entries to skip.
   */
  offset?: number;
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
   * Entries to skip.
   */
  offset?: number;
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
  /**
   * Entries to skip.
   */
  offset?: number;
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
  gender?: 'female' | 'male' | 'other' | 'unknown';
  /**
   * Email address, upper and lower case alike.
   */
  'contact.email'?: string;
  /**
   * Entries to skip.
   */
  offset?: number;
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
   * Fields to order by, separated by commas; a minus sign before one reverses it. Ties are ordered by id. One or more of deleted_at.
   */
  sort?: string;
  /**
   * Entries to skip.
   */
  offset?: number;
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
  gender?: 'female' | 'male' | 'other' | 'unknown';
  /**
   * Email address, upper and lower case alike.
   */
  'contact.email'?: string;
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
  gender?: 'female' | 'male' | 'other' | 'unknown';
  /**
   * Email address, upper and lower case alike.
   */
  'contact.email'?: string;
  /**
   * Patient identifier.
   */
  id?: string;
  /**
   * Entries to skip.
   */
  offset?: number;
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
   * Fields to order by, separated by commas; a minus sign before one reverses it. Ties are ordered by id. One or more of revision.
   */
  sort?: string;
  /**
   * Entries to skip.
   */
  offset?: number;
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
  /**
   * Entries to skip.
   */
  offset?: number;
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
   * Fields to order by, separated by commas; a minus sign before one reverses it. Ties are ordered by id. One or more of revision.
   */
  sort?: string;
  /**
   * Entries to skip.
   */
  offset?: number;
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
  /**
   * Entries to skip.
   */
  offset?: number;
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
  /** Read texts: what was recognised, where, and what was not. */
  'diagnostics.parse': {
    method: 'POST';
    path: '/diagnostics/parse';
    query: Record<string, never>;
    body: ParseRequest;
    status: 200;
    data: ParsedText;
  };
  /** Delete a diagnostic record. */
  'diagnostics.delete': {
    method: 'DELETE';
    path: '/diagnostics/{diagnostic_id}';
    query: Record<string, never>;
    body: undefined;
    status: 204;
    data: undefined;
  };
  /** Get a diagnostic record. */
  'diagnostics.get': {
    method: 'GET';
    path: '/diagnostics/{diagnostic_id}';
    query: Record<string, never>;
    body: undefined;
    status: 200;
    data: DiagnosticRecord;
  };
  /** Change the note of a diagnostic record; its result never changes. */
  'diagnostics.update': {
    method: 'PATCH';
    path: '/diagnostics/{diagnostic_id}';
    query: Record<string, never>;
    body: DiagnosticRecordPatch;
    status: 200;
    data: DiagnosticRecord;
  };
  /** Accept a result, or override it with a diagnosis of your own. */
  'diagnostics.giveFeedback': {
    method: 'POST';
    path: '/diagnostics/{diagnostic_id}/feedback';
    query: Record<string, never>;
    body: DiagnosticFeedbackCreate;
    status: 200;
    data: DiagnosticRecord;
  };
  /** Restore a deleted diagnostic record. */
  'diagnostics.restore': {
    method: 'POST';
    path: '/diagnostics/{diagnostic_id}/restore';
    query: Record<string, never>;
    body: undefined;
    status: 200;
    data: DiagnosticRecord;
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
}

