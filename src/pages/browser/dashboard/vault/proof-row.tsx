/** One proof in the list. */
import { proofList } from '../../../words/en/vault.ts'
import { visibility } from '../../../words/en/visibility.ts'
import { useEnsNames } from '../ens-names.ts'
import { nameWallet, useLabels } from '../labels.ts'
import { Tag } from '../parts.tsx'
import { Time } from '../time.tsx'
import { describeStatus, type ProofRow } from './row.ts'

export function ProofLine({
  row,
  isChosen,
  showsWallet,
  onOpen,
  onChoose,
}: {
  readonly row: ProofRow
  readonly isChosen: boolean
  readonly showsWallet: boolean
  onOpen(): void
  onChoose(): void
}) {
  const { title, saying, verifiers, status, privacy, at, wallet } = row
  const [word, kind] = describeStatus(status)
  useLabels()
  useEnsNames(showsWallet ? [wallet] : [])
  return (
    <div class={isChosen ? 'proof-row chosen' : 'proof-row'}>
      <label class="proof-pick">
        <input type="checkbox" checked={isChosen} onChange={onChoose} tabIndex={-1} />
        <span class="visually-hidden">{proofList.select(title)}</span>
      </label>
      <a
        class="proof-open"
        href={`?proof=${row.qHash}`}
        aria-keyshortcuts="Enter x"
        onClick={(event) => {
          if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
          event.preventDefault()
          onOpen()
        }}
      >
        <span class="proof-text">
          <bdi class="proof-title" dir="auto">
            {title}
          </bdi>
          <span class="proof-what">
            {verifiers}
            {saying && (
              <>
                {' · '}
                <bdi>{saying}</bdi>
              </>
            )}
            {showsWallet && ` · ${nameWallet(wallet)}`}
          </span>
        </span>
        <span class="proof-status">
          <Tag kind={kind}>{word}</Tag>
        </span>
        <span class="proof-privacy">{visibility[privacy].word}</span>
        <span class="proof-age">
          <Time at={at} />
        </span>
      </a>
    </div>
  )
}
