/** The namespace and the term of pseudonyms on a server. Runs in browsers, too. */
import type { TObject } from '@sinclair/typebox'
import type { Checked } from '../../config/setting.ts'
import type { VerifierSettings } from '../verifier-settings.ts'
import type { pseudonymSettings } from './settings.ts'

/** The cast is safe: src/settings.ts puts these settings below [verifiers], and the namespace takes the brand. */
export const readPseudonymSettings = ({ tables, brand }: Pick<VerifierSettings, 'tables' | 'brand'>) => {
  const { pseudonymNamespace = brand, pseudonymTtlDays } = tables.verifiers as Checked<
    TObject<typeof pseudonymSettings>
  >
  return { namespace: pseudonymNamespace, ttlDays: pseudonymTtlDays }
}
