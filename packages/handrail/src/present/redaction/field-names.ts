import { placeholders } from './placeholders.ts'

/** What a field's name says about its value. */
export interface FieldMeaning {
  /** Masked whatever it holds. */
  masks: string | undefined
  /** Masked when its value looks like a key. */
  mayHoldKey: boolean
  isPhone: boolean
  /** The name itself holds nothing to mask. */
  isPlain: boolean
}

const secretNames = new Set([
  'password',
  'passwort',
  'passwd',
  'pwd',
  'passphrase',
  'kennwort',
  'secret',
  'geheimnis',
  'token',
  'apikey',
  'authorization',
  'proxyauthorization',
  'cookie',
  'setcookie',
  'privatekey',
  'secretkey',
  'accesskey',
  'secretaccesskey',
  'accesstoken',
  'refreshtoken',
  'authtoken',
  'sessiontoken',
  'idtoken',
  'bearertoken',
  'csrftoken',
  'xsrftoken',
  'bottoken',
  'clientsecret',
  'connectionstring',
  'databaseurl',
  'xapikey',
  'xauthtoken',
  'credential',
  'credentials',
  'jwt',
  'otp',
  'totpsecret',
  'cvv',
  'cvc',
  'mastercode',
  'encryptionkey',
  'signingkey',
  'webhooksecret',
  'sshkey',
])
const secretEnding = /(?:password|passwort|passphrase|secret|apikey|privatekey|accesstoken|refreshtoken|authtoken)$/
const keyWords = /key|auth|cred|session|signature|token|secret|pass|cookie/
const notSecretWords =
  /page|next|cursor|continu|idempoten|sync|public|hash|digest|storage|object|path|primary|foreign|count|tokens/
const phoneNames =
  /^(?:\w*(?:phone|telefon|telephone|mobil|handy|fax|rufnummer|telefonnummer|phonenumber|mobilenumber)|tel|telnr|cell|mobile|mobilenr)$/
const ibanNames = new Set(['iban', 'accountiban', 'kontoiban', 'ibannummer'])

/** Compared without case and separators: `API-Key`, `api_key` and `apiKey` are one name. */
export function plainName(name: string): string {
  return name.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase()
}

/** What the built-in lists say of a field, but for `isPlain`; `ownNames` are a pack's further names, already plain. */
export function meaningOf(
  name: string,
  kinds: { secret: boolean; iban: boolean },
  ownNames: ReadonlySet<string>,
): Omit<FieldMeaning, 'isPlain'> {
  const plain = name.length > 100 ? '' : plainName(name)
  const isSecret = kinds.secret && (secretNames.has(plain) || secretEnding.test(plain))
  const isIban = kinds.iban && ibanNames.has(plain)
  return {
    masks: ownNames.has(plain) || isSecret ? placeholders.secret : isIban ? placeholders.iban : undefined,
    mayHoldKey: kinds.secret && keyWords.test(plain) && !notSecretWords.test(plain),
    isPhone: phoneNames.test(plain),
  }
}
