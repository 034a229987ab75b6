/** How the certificate of a server is checked. */
import { readFileSync } from 'node:fs'
import { type DatabaseUrl, DatabaseUrlError } from '../../config/database-url.ts'

/** False: no encryption. */
export type TlsChoice =
  | false
  | { readonly rejectUnauthorized: boolean; readonly ca?: string; readonly checkServerIdentity?: () => undefined }

/**
 * As libpq has them: `require` encrypts and believes any certificate unless it is given a root, `verify-ca` any name in
 * it. Errors: DatabaseUrlError.
 */
export function chooseTls({ tls, rootFile }: Pick<DatabaseUrl, 'tls' | 'rootFile'>): TlsChoice {
  if (tls === 'disable') return false
  if (tls === 'require' && rootFile === undefined) return { rejectUnauthorized: false }
  const ca = rootFile === undefined ? {} : { ca: readRootFile(rootFile) }
  return { rejectUnauthorized: true, ...ca, ...(tls === 'verify-full' ? {} : { checkServerIdentity: () => undefined }) }
}

function readRootFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new DatabaseUrlError(`the file of sslrootcert in database.url cannot be read (${(error as Error).message})`)
  }
}
