<<<<<<< HEAD
/** Settings of an installation where reports are paid for. */
=======
/** Settings of an installation where things are paid for: every call there can be. */
>>>>>>> main
export const selling = {
  PROBANT_BILLING: 'on',
  PROBANT_SELLER_NAME: 'Example SARL',
  PROBANT_SELLER_LEGAL_FORM: 'SARL',
  PROBANT_SELLER_CAPITAL: '10 000 EUR',
  PROBANT_SELLER_SIREN: '123456782',
  PROBANT_SELLER_VAT_ID: 'FR11123456782',
  PROBANT_SELLER_REGISTER: 'RCS Marseille',
  PROBANT_SELLER_ADDRESS: '1 rue du Port',
  PROBANT_SELLER_ZIP: '13002',
  PROBANT_SELLER_CITY: 'Marseille',
  PROBANT_SELLER_IBAN: 'FR7630006000011234567890189',
}
