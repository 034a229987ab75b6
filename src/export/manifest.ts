/** The manifest of an export: what its files are, and whether they are as they were written. */
import { type Static, Type } from '@sinclair/typebox'
import type { Sealer } from '../db/seal.ts'

/** 2: with all that an import needs. */
export const exportFormat = 2

const ExportedFile = Type.Object({
  file: Type.String({ pattern: '^[a-z-]{1,40}\\.jsonl$' }),
  lines: Type.Integer({ minimum: 0 }),
  bytes: Type.Integer({ minimum: 0 }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
})

export const Manifest = Type.Object({
  format: Type.Literal(exportFormat),
  createdAt: Type.String({ maxLength: 40 }),
  version: Type.String({ maxLength: 80 }),
  schema: Type.String({ maxLength: 80, description: 'The newest migration.' }),
  wallets: Type.Union([Type.Array(Type.String()), Type.Null()], {
    description: 'The wallets of the person. Null: the whole server.',
  }),
  sealed: Type.Union([Type.Literal('kept'), Type.Literal('opened')], {
    description: 'Whether sealed text stands in the lines as it is stored, or in the clear.',
  }),
  files: Type.Array(ExportedFile),
  /** HMAC of all of the above under the master key of the server. */
  check: Type.String({ pattern: '^[0-9a-f]{64}$' }),
})

export type ExportedFile = Static<typeof ExportedFile>
export type Manifest = Static<typeof Manifest>

export const manifestFile = 'manifest.json'

const macContext = 'manifest of an export'

/** Only a server with this master key can make it: an export that anybody changed has another one. */
export const signManifest = (unsigned: Omit<Manifest, 'check'>, sealer: Pick<Sealer, 'mac'>): Manifest => ({
  ...unsigned,
  check: sealer.mac(JSON.stringify(unsigned), macContext),
})

export function isOwnManifest({ check, ...unsigned }: Manifest, sealer: Pick<Sealer, 'mac'>): boolean {
  const { format, createdAt, version, schema, wallets, sealed, files } = unsigned
  return check === signManifest({ format, createdAt, version, schema, wallets, sealed, files }, sealer).check
}
