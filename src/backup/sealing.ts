/**
 * Seals the members of a backup under a passphrase: AES-256-GCM under a key made for this backup, which is sealed under
 * the key that scrypt (RFC 7914) makes of the passphrase. Each member is bound to the backup and to its name, so that
 * no two can be exchanged.
 */
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, scrypt } from 'node:crypto'
import { BackupError } from './fault.ts'
import type { Sealed } from './format.ts'

/** A third of a second and 128 MiB for each guess. */
const cost = { n: 131_072, r: 8, p: 1 } as const
const ivBytes = 12
const tagBytes = 16

export interface BackupSealer {
  seal(plain: Uint8Array, name: string): Uint8Array
  /** The same for bytes in parts. What is long is not copied. */
  sealParts(plain: readonly Uint8Array[], name: string): readonly Uint8Array[]
  /** Throws where a bit was changed, or where the bytes are those of another member. */
  open(sealed: Uint8Array, name: string): Uint8Array
  /** Proves that the manifest is the one that was written: an HMAC. */
  check(manifest: string): string
}

/** Shorter ones are guessed. */
export const leastPassphraseLength = 12

export async function makeBackupSealer(
  passphrase: string,
  id: string,
): Promise<{ readonly sealed: Sealed; readonly sealer: BackupSealer }> {
  const salt = randomBytes(16)
  const key = randomBytes(32)
  const wrapping = await deriveWrappingKey(passphrase, salt, cost)
  return {
    sealed: {
      kdf: 'scrypt',
      ...cost,
      salt: salt.toString('hex'),
      cipher: 'aes-256-gcm',
      key: Buffer.from(encrypt(wrapping, key, `key ${id}`)).toString('base64'),
    },
    sealer: useKey(key, id),
  }
}

/** Errors: BackupError for a wrong passphrase. */
export async function openBackupSealer(
  passphrase: string,
  id: string,
  { salt, n, r, p, key }: Sealed,
): Promise<BackupSealer> {
  const wrapping = await deriveWrappingKey(passphrase, Buffer.from(salt, 'hex'), { n, r, p })
  let opened: Uint8Array
  try {
    opened = decrypt(wrapping, Buffer.from(key, 'base64'), `key ${id}`)
  } catch {
    throw new BackupError(
      'the passphrase is not the one of this backup, or its header was changed',
      'give the passphrase with which it was made, as PROOFGATE_BACKUP_PASSPHRASE or backup.passphrase. Nothing was changed',
    )
  }
  return useKey(opened, id)
}

/** Of an unsealed backup: it finds faults of a disk, and no deliberate change. */
export const hashManifest = (manifest: string): string =>
  `sha256:${createHash('sha256').update(manifest).digest('hex')}\n`

const useKey = (key: Uint8Array, id: string): BackupSealer => ({
  seal: (plain, name) => encrypt(key, plain, `${id}/${name}`),
  sealParts: (plain, name) => encryptParts(key, plain, `${id}/${name}`),
  open: (sealed, name) => decrypt(key, sealed, `${id}/${name}`),
  check: (manifest) => `hmac-sha256:${createHmac('sha256', key).update('manifest\n').update(manifest).digest('hex')}\n`,
})

type Cost = Pick<Sealed, 'n' | 'r' | 'p'>

/** On another thread: the server derives one, too. */
const deriveWrappingKey = (passphrase: string, salt: Uint8Array, { n, r, p }: Cost): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    scrypt(passphrase.normalize('NFC'), salt, 32, { N: n, r, p, maxmem: 256 * n * r }, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })

const encrypt = (key: Uint8Array, plain: Uint8Array, context: string): Uint8Array =>
  Buffer.concat(encryptParts(key, [plain], context))

function encryptParts(key: Uint8Array, plain: readonly Uint8Array[], context: string): readonly Uint8Array[] {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context))
  const sealed = plain.map((part) => cipher.update(part))
  return [iv, ...sealed, cipher.final(), cipher.getAuthTag()]
}

function decrypt(key: Uint8Array, sealed: Uint8Array, context: string): Uint8Array {
  if (sealed.length < ivBytes + tagBytes) throw new Error('too short to be sealed')
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, ivBytes), { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(-tagBytes))
  return Buffer.concat([decipher.update(sealed.subarray(ivBytes, -tagBytes)), decipher.final()])
}
