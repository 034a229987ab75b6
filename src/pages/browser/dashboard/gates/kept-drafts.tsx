/** Drafts that other tabs of this browser left behind. */
import { Time } from '../time.tsx'
import type { FoundDraft } from './drafts.ts'

const mostShown = 3

export function KeptDrafts({
  drafts,
  onTake,
  onDrop,
}: {
  readonly drafts: readonly FoundDraft[]
  onTake(draft: FoundDraft): void
  onDrop(draft: FoundDraft): void
}) {
  return (
    <>
      {drafts.slice(0, mostShown).map((draft) => (
        <div class="notice" key={draft.key}>
          <p>
            This browser keeps another draft{draft.definition.name !== '' && ' of '}
            <bdi>{draft.definition.name}</bdi>, last changed <Time at={draft.savedAt} />. It may be open in another tab.
          </p>
          <p>
            <button type="button" class="link" onClick={() => onTake(draft)}>
              Go on with it here
            </button>{' '}
            <button type="button" class="link" onClick={() => onDrop(draft)}>
              Throw it away
            </button>
          </p>
        </div>
      ))}
    </>
  )
}
