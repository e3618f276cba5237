/** Salt and ester words that may follow or lead a substance name without changing what it is. */
export const SALTS: ReadonlySet<string> = new Set(
  `hydrochloride hcl dihydrochloride hydrobromide hbr hydroiodide bromide chloride iodide sodium disodium trisodium
  potassium dipotassium calcium magnesium zinc maleate mesylate mesilate methanesulfonate besylate besilate tosylate tosilate
  esilate esylate tartrate bitartrate hydrogentartrate succinate succ tartr mesil bes hydrogensuccinate hemisuccinate fumarate hemifumarate
  phosphate diphosphate hydrogenphosphate sulfate sulphate hemisulfate bisulfate bisulphate hydrogensulfate acetate diacetate
  triacetate citrate dihydrogencitrate nitrate gluconate glucuronate lactate stearate oxalate hydrogenoxalate decanoate
  palmitate pamoate embonate valerate valproate propionate dipropionate furoate enanthate enantate cypionate cipionate
  caproate hexanoate undecanoate undecylate isobutyrate butyrate acetonide hexacetonide monohydrate dihydrate trihydrate
  tetrahydrate sesquihydrate anhydrous hemihydrate hydrate axetil medoxomil cilexetil proxetil pivoxil pivalate trometamol
  tromethamine arginine erbumine tert butylamine lysine xinafoate etexilate mofetil ethylsuccinate lactobionate estolate
  hyclate hydrochlorid benzoate isetionate isethionate edisylate napsylate olamine ethanolamine malate glycinate aspartate
  orotate saccharate teoclate resinate polistirex tannate dimeglumine meglumine camsylate tebutate bromhydrate chlorhydrate
  hidrocloruro clorhidrato cloridrato maleato besilato sodico sodica potassico potasico sodique potassique sulfato solfato
  fosfato tartrato citrato acetato natrium kalium calcico calcique magnesico zinco succinato bromuro cloruro`
    .split(/\s+/)
    .filter(Boolean),
);

const words = (text: string, route: string): [string, string][] =>
  text
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => [word, route]);

/** Words of dose form and use in the languages of the brands, each with the route it gives away where it does. */
export const FORMS: ReadonlyMap<string, string> = new Map([
  ...words(
    `tablet tablets tab tabs capsule capsules cap caps oral orally syrup elixir po chewable dispersible orodispersible odt
    softgel softgels gelcap gelcaps caplet caplets lozenge sachet sachets granules linctus mouth tabletten tablette tabl filmtabletten
    filmtablette ftbl tbl kapsel kapseln kps retardtabletten retardkapseln saft sirup tropfen granulat brausetabletten schmelztabletten
    comprime comprimes cpr cp gelule gelules sirop buvable comprimido comprimidos capsula capsulas capsule jarabe sobres
    compresse compressa rivestite sciroppo bustine gocce orale`,
    'oral',
  ),
  ...words(
    `injection injections injectable inj iv im sc subcut subcutaneous subcutaneously intravenous intravenously intramuscular infusion
    pen penfill flexpen kwikpen solostar vial vials ampoule ampoules ampul ampule syringe prefilled depot spritze ampullen
    infusionslosung injektionslosung fertigspritze injectable ampolle inyectable inyeccion fiala fiale iniettabile perfusion`,
    'injection',
  ),
  ...words('cream ointment gel lotion topical shampoo foam creme salbe pommade crema pomada unguento paste', 'topical'),
  ...words('patch patches transdermal pflaster parche parches cerotto cerotti', 'transdermal'),
  ...words(
    'inhaler inhalers inhalation inhaled hfa nebules nebuliser nebulizer nebulised evohaler accuhaler diskus turbuhaler turbohaler respimat handihaler ellipta breezhaler genuair easyhaler mdi dpi puff puffs dosieraerosol inhalador',
    'inhaled',
  ),
  ...words('nasal nasenspray', 'nasal'),
  ...words('ophthalmic eye eyedrops augentropfen collyre colirio collirio', 'ophthalmic'),
  ...words('otic ear', 'otic'),
  ...words('vaginal pessary pessaries', 'vaginal'),
  ...words('suppository suppositories rectal enema zapfchen suppositoire supositorio supposte', 'rectal'),
  ...words('sublingual sl buccal', 'sublingual'),
  ...words('implant', 'implant'),
  ...words(
    `spray drops drop solution suspension powder film filmcoated coated extended release modified prolonged sustained
    controlled delayed immediate slow er xr sr cr la xl dr ec mr ir retard lp uno forte effervescent enteric gastro resistant
    gastroresistant low dose doses baby strength liquid extra plain cd 24hr 12hr 24h 12h 24 12 ds otc generic rx per
    puffs actuation actuations mg mcg ug micrograms microgram milligrams milligram grams gram g ml millilitre millilitres
    iu unit units mmol meq ng nanograms international ie ui e percent mg/ml dosepak pack mite`,
    '',
  ),
  // Makers' names stand beside that of the substance on most packs of Europe.
  ...words(
    `ratiopharm hexal stada stadapharm heumann aristo sandoz teva mylan zentiva biogaran arrow cinfa normon kern accord aurobindo
    actavis winthrop abz 1a pharma betapharm puren tad krka viatris almus cristers ranbaxy zydus lupin wockhardt pfizer ct
    abzpharma dura basics axcount micro labs holsten lichtenstein bluefish glenmark amneal apotex milpharm dexcel consilient medochemie
    al eg doc generici ratio qualigen pharmagenus tarbis stadagen tevagen alter mabo combix vir edigen bexal pensa almirall
    isis sanofi bayer novartis roche gsk merck henning heumann winthrop neuraxpharm desitin hormosan libapharm juta
    aliud lannacher genericon ratiopharma`,
    '',
  ),
]);
