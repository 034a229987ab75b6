/** What may happen only once, by a signature or a nonce: remembered until it is too old to be accepted anyway. */
import type { Statement } from './db.ts'

/** A signature that may act only once: digest of it, and until when it would be accepted. */
export interface SpentSignature {
  /** 64 hexadecimal digits. */
  readonly digest: string
  readonly expiresAt: number
}

/** The statement that changes no row when the signature was used before; none where nothing was signed. */
export const spendSignature = (spent: SpentSignature | undefined): Statement[] =>
  spent
    ? [
        {
          sql: 'INSERT INTO spent_signatures (digest, expires_at) VALUES (unhex(?1), ?2) ON CONFLICT (digest) DO NOTHING',
          params: [spent.digest, spent.expiresAt],
          must: true,
        },
      ]
    : []
