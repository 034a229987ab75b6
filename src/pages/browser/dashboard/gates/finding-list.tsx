/** Findings, each after the label of its field. */
import type { Definition, Finding } from './definition.ts'
import { nameField } from './field-names.ts'
import { writeFinding } from './finding-words.ts'

export function FindingList({
  findings,
  definition,
  kind = '',
}: {
  readonly findings: readonly Finding[]
  readonly definition: Definition
  readonly kind?: 'doubts' | ''
}) {
  return (
    <ul class={`gate-findings ${kind}`}>
      {findings.map((finding) => (
        <li key={finding.path + finding.code}>
          <strong>
            <bdi>{nameField(finding.path, definition)}</bdi>
          </strong>{' '}
          {writeFinding(finding)}
        </li>
      ))}
    </ul>
  )
}
