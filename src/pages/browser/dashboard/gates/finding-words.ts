/** Says a finding in the language of the page. Its message is for programs, which know the members of a definition. */
import { gateFindings } from '../../../words/en/gate-findings.ts'
import { labelMethod } from '../payment-methods.ts'
import type { Finding } from './definition.ts'

/** A newer server may have codes that this page does not know. */
const sentences: Readonly<Record<string, (values: never) => string>> = gateFindings.sentences

const lackingCodes: readonly string[] = ['TOO_FEW', 'EMPTY']

export function writeFinding({ code, values, path }: Pick<Finding, 'code' | 'values' | 'path'>): string {
  const lacking = gateFindings.lacking[path.split('.').at(-1) ?? '']
  if (lacking !== undefined && lackingCodes.includes(code)) return lacking
  const { method } = values
  const shown = typeof method === 'string' ? { ...values, method: labelMethod(method) } : values
  return (sentences[code] ?? sentences.OTHER_SHAPE!)(shown as never)
}
