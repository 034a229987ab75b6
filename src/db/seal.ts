/**
 * Seals data that must not be readable in the database file: AES-256-GCM under the master key. It is bound to a
 * context, so that a sealed text moved to another row does not open.
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'

export interface Sealer {
  seal(plain: string, context: string): string
  /** Throws when the text was altered, belongs to another context, or was sealed under another key. */
  open(sealed: string, context: string): string
  /** HMAC-SHA-256 of a text that this server issued, 64 hexadecimal digits: only the master key can make it. */
  mac(text: string, context: string): string
  /** A key of 32 bytes for one purpose, derived from the master key. The same purpose gives the same key. */
  deriveKey(purpose: string): Uint8Array
}

const ivBytes = 12
const tagBytes = 16
const version = 'v1'

export function makeSealer(masterKey: Uint8Array): Sealer {
  // A key of its own, so that no text under the one can be mistaken for something under the other.
  const macKey = createHmac('sha256', masterKey).update('proofgate mac').digest()
  const derivedKeys = new Map<string, Uint8Array>()
  const derive = (purpose: string): Uint8Array => {
    const key = createHmac('sha256', masterKey).update(`proofgate key ${purpose}`).digest()
    derivedKeys.set(purpose, key)
    return key
  }
  return {
    deriveKey: (purpose) => derivedKeys.get(purpose) ?? derive(purpose),
    mac: (text, context) => createHmac('sha256', macKey).update(`${context}\n${text}`).digest('hex'),
    seal(plain, context) {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', masterKey, iv).setAAD(Buffer.from(context))
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${version}.${iv.toString('base64url')}.${body.toString('base64url')}`
    },
    open(sealed, context) {
      const [seen, ivText, bodyText] = sealed.split('.')
      if (seen !== version || !ivText || !bodyText) throw new Error('not a sealed text of this version')
      const body = Buffer.from(bodyText, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', masterKey, Buffer.from(ivText, 'base64url'))
        .setAAD(Buffer.from(context))
        .setAuthTag(body.subarray(body.length - tagBytes))
      return decipher.update(body.subarray(0, body.length - tagBytes), undefined, 'utf8') + decipher.final('utf8')
    },
  }
}
