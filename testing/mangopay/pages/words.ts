export type Language = 'en' | 'fr'

const en = {
  language: 'Français',
  test: 'Test payments',
  nothing:
    'No money moves here. This page stands in for the payment provider or the bank, so that everything around it can be tried.',
  back: 'Back to the shop',
  ended: 'This request has ended',
  endedText: 'It was answered before, or it waited too long. Nothing more can be done on this page.',
  missing: 'This page does not exist',
  missingText: 'The address is not complete, or the simulator was started anew since.',
  amount: 'Amount',
  card: 'Card',
  secure: 'Your bank asks you to confirm this payment',
  secureAgree: 'Confirm the payment',
  secureRefuse: 'Refuse the payment',
  pay: 'Pay by card',
  register: 'Register a card',
  number: 'Card number',
  expiry: 'Expiry date (MMYY)',
  cvx: 'Security code',
  send: 'Continue',
  numberHint:
    'Test cards: 4970 1071 1111 1119 is accepted, 4970 1044 4444 4408 asks for confirmation, 4970 1011 1111 1104 is refused.',
  '02624': 'The card has expired.',
  '02625': 'The card number is not valid.',
  '02626': 'The expiry date is not valid: two digits of the month, then two of the year.',
  '02627': 'The security code is not valid: three or four digits.',
  mandate: 'Authorise direct debits from your account',
  mandateText:
    'You authorise the creditor to send instructions to your bank to debit your account, and your bank to debit it in accordance with them.',
  mandateAgree: 'Sign the mandate',
  mandateRefuse: 'Do not sign',
  account: 'Account',
  holder: 'Account holder',
  document: 'SEPA direct debit mandate',
  reference: 'Reference of the mandate',
  recipient: 'Confirm the account to which you are paid',
  recipientAgree: 'Confirm the account',
  recipientRefuse: 'Refuse',
  identity: 'Verify your identity',
  identityText: 'The provider would look at your identity document here. Choose what it finds.',
  identityAgree: 'The document is mine',
  identityRefuse: 'The document is somebody else’s',
} as const

export type WordId = keyof typeof en

const fr: { readonly [id in WordId]: string } = {
  language: 'English',
  test: 'Paiements d’essai',
  nothing:
    'Aucun argent ne circule ici. Cette page tient lieu de prestataire de paiement ou de banque, pour que tout ce qui l’entoure puisse être essayé.',
  back: 'Retour à la boutique',
  ended: 'Cette demande a pris fin',
  endedText: 'Une réponse lui a déjà été donnée, ou elle a attendu trop longtemps. Cette page ne permet plus rien.',
  missing: 'Cette page n’existe pas',
  missingText: 'L’adresse est incomplète, ou le simulateur a redémarré depuis.',
  amount: 'Montant',
  card: 'Carte',
  secure: 'Votre banque vous demande de confirmer ce paiement',
  secureAgree: 'Confirmer le paiement',
  secureRefuse: 'Refuser le paiement',
  pay: 'Payer par carte',
  register: 'Enregistrer une carte',
  number: 'Numéro de carte',
  expiry: 'Date d’expiration (MMAA)',
  cvx: 'Code de sécurité',
  send: 'Continuer',
  numberHint:
    'Cartes d’essai : 4970 1071 1111 1119 est acceptée, 4970 1044 4444 4408 demande une confirmation, 4970 1011 1111 1104 est refusée.',
  '02624': 'La carte a expiré.',
  '02625': 'Le numéro de carte n’est pas valide.',
  '02626': 'La date d’expiration n’est pas valide : deux chiffres du mois, puis deux de l’année.',
  '02627': 'Le code de sécurité n’est pas valide : trois ou quatre chiffres.',
  mandate: 'Autoriser les prélèvements sur votre compte',
  mandateText:
    'Vous autorisez le créancier à envoyer des instructions à votre banque pour débiter votre compte, et votre banque à le débiter conformément à ces instructions.',
  mandateAgree: 'Signer le mandat',
  mandateRefuse: 'Ne pas signer',
  account: 'Compte',
  holder: 'Titulaire du compte',
  document: 'Mandat de prélèvement SEPA',
  reference: 'Référence du mandat',
  recipient: 'Confirmer le compte sur lequel vous êtes payé',
  recipientAgree: 'Confirmer le compte',
  recipientRefuse: 'Refuser',
  identity: 'Vérifier votre identité',
  identityText: 'Le prestataire examinerait ici votre pièce d’identité. Choisissez ce qu’il constate.',
  identityAgree: 'La pièce est la mienne',
  identityRefuse: 'La pièce est celle d’une autre personne',
}

const words = { en, fr } as const

export function say(language: Language, id: WordId): string {
  return words[language][id]
}

export function isWord(id: string): id is WordId {
  return Object.hasOwn(en, id)
}

/** French sets a narrow space before the sign; both write cents. */
export function amountIn(language: Language, cents: number, currency: string): string {
  return new Intl.NumberFormat(language === 'fr' ? 'fr-FR' : 'en-GB', { style: 'currency', currency }).format(cents / 100)
}
