/** Every importer, in the order in which their rows need each other. */
import { auditImporter } from '../audit/import-store.ts'
import { spentTextImporter } from '../db/import-store.ts'
import type { Importer } from '../db/importing.ts'
import { gateImporters, purchaseImporters } from '../gates/import-store.ts'
import { numberImporter } from '../metrics/import-store.ts'
import { oauthImporters } from '../oauth/import-store.ts'
import { operatorImporter } from '../operator/import-store.ts'
import { paymentImporters } from '../payments/import-store.ts'
import { profileImporters } from '../profiles/import-store.ts'
import { listProofImporters } from '../proofs/import-store.ts'
import { publicationImporter } from '../publishing/import-store.ts'
import { secretImporter } from '../secrets/import-store.ts'
import type { Catalog } from '../verifiers/index.ts'

export const listImporters = (catalog: Catalog['known']): readonly Importer[] => [
  ...profileImporters,
  ...listProofImporters(catalog),
  publicationImporter,
  ...gateImporters,
  ...paymentImporters,
  ...purchaseImporters,
  ...oauthImporters,
  secretImporter,
  auditImporter,
  operatorImporter,
  numberImporter,
  spentTextImporter,
]

const credential = 'An export holds no credential: people sign in again, and make new ones.'
const buyers = 'It names no buyers, so nothing can be made of it.'

/** The files of an export of which nothing is made, with the reason for readers. */
export const filesNotImported: Readonly<Record<string, string>> = {
  'share-links': credential,
  'access-keys': credential,
  sessions: credential,
  'oauth-grants': credential,
  'signing-keys': 'Another server signs with keys of its own.',
  'erasure-receipts': 'A receipt is asked about at the server that erased.',
  sales: buyers,
  'owed-payments': buyers,
}
