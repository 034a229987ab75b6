/** Findings, each after the label of its field. */

import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { ProofgateError } from '../../../../client/client.ts'
import { gateForm } from '../../../words/en/gate-form.ts'
import { gateWorkspace as words } from '../../../words/en/gate-workspace.ts'
import { Problem } from '../problem.tsx'
import type { Definition, Finding } from './definition.ts'
import { nameField } from './field-names.ts'
import { writeFinding } from './finding-words.ts'

/** True where the server takes no payments: nothing can be chosen then. */
export const HasNoWay = createContext(false)

export function FindingList({
  findings,
  definition,
  kind = '',
}: {
  readonly findings: readonly Finding[]
  readonly definition: Definition
  readonly kind?: 'doubts' | 'left' | ''
}) {
  const hasNoWay = useContext(HasNoWay)
  return (
    <ul class={`gate-findings ${kind}`}>
      {findings.map((finding) => (
        <li key={finding.path + finding.code}>
          <strong>
            <bdi>{nameField(finding.path, definition)}</bdi>
          </strong>{' '}
          {hasNoWay && finding.path === 'price.methods' ? gateForm.prices.noWay : writeFinding(finding)}
        </li>
      ))}
    </ul>
  )
}

/** The refusal of a gate that was sent. It has the same findings as the preview, and else it is any problem. */
export function Refused({ error, definition }: { readonly error: unknown; readonly definition: Definition }) {
  const findings = error instanceof ProofgateError ? error.details.findings : undefined
  if (!Array.isArray(findings) || findings.length === 0) return <Problem error={error} />
  return (
    <div class="notice danger" role="alert">
      <p>{words.publishing.todo}</p>
      <FindingList findings={findings as Finding[]} definition={definition} />
    </div>
  )
}
