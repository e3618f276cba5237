/** Names of specialties whose ids do not read well by themselves. */
export const specialtyNames: Readonly<Record<string, string>> = {
  ent: 'Ear, nose and throat',
  gynecology: 'Gynaecology',
  hematology: 'Haematology',
  orthopedics: 'Orthopaedics',
  pediatrics: 'Paediatrics',
};
