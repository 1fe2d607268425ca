/** What stands where something was masked. Pinned: people and models read them. */
export const placeholders = {
  email: '[e-mail]',
  phone: '[phone]',
  iban: '[IBAN]',
  card: '[card number]',
  secret: '[secret]',
} as const
