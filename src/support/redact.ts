/**
 * Takes out of a text what an archive for strangers must not hold. What the configuration names is known and is found in
 * each form in which it travels. The rest is known by its shape: addresses, keys, tokens, hashes.
 */

type Redact = (text: string) => string

/** Shorter ones would be found in words. */
const fewestCharacters = 4

/** Takes out these texts, also as base64, hexadecimal digits, within an address and as JSON. */
export function makeRedactor(secrets: Iterable<string>): Redact {
  const forms = new Set<string>()
  for (const secret of secrets)
    if (secret.length >= fewestCharacters) for (const form of listForms(secret)) forms.add(form)
  // The longest first: a part of it must not hide the rest.
  const ordered = [...forms].sort((one, other) => other.length - one.length)
  return (text) => ordered.reduce((left, form) => left.replaceAll(form, hidden), text)
}

const hidden = '<hidden>'

function listForms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret)
  return [
    secret,
    secret.toLowerCase(),
    secret.toUpperCase(),
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    encodeURIComponent(secret).replaceAll('%20', '+'),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    bytes.toString('base64'),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
  ]
}

const shapes: readonly (readonly [RegExp, string])[] = [
  [/\bdid:[^\s"'<>]+/gi, '<account>'],
  [/\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]+/gi, '<url>'],
  [/[^\s"'<>@]+@[^\s"'<>@]+\.[^\s"'<>@]+/g, '<email>'],
  [/\b\d{1,3}(?:\.\d{1,3}){3}\b/g, '<address>'],
  [/(?<![\w:])(?:[0-9a-f]{0,4}:){3,7}[0-9a-f]{0,4}(?![\w:])/gi, '<address>'],
  [/\b0x[0-9a-f]{8,}\b/gi, hidden],
  // Keys, tokens, hashes and addresses of wallets: long, and of digits too or of capitals within.
  [/[\w+%=~-]{20,}/g, hidden],
  [/(?=[\w+=~-]*\d)(?=[\w+=~-]*[a-z])(?=[\w+=~-]*[A-Z])[\w+=~-]{12,}/g, hidden],
  [/\b[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|net|io|eth|sol|dev|app|xyz|co|me|example|local|test)\b/gi, '<name>'],
]

/** For sentences whose words are ours, and which quote others. */
export const redactShapes: Redact = (text) =>
  shapes.reduce((left, [shape, instead]) => left.replace(shape, instead), text)
