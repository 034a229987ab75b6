/** Drafts that other tabs of this browser left behind. */
import { gates as words } from '../../../words/en/gates.ts'
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
            {words.drafts.other(
              draft.definition.name === '' ? undefined : <bdi>{draft.definition.name}</bdi>,
              <Time at={draft.savedAt} />,
            )}
          </p>
          <p>
            <button type="button" class="link" onClick={() => onTake(draft)}>
              {words.drafts.take}
            </button>{' '}
            <button type="button" class="link" onClick={() => onDrop(draft)}>
              {words.drafts.drop}
            </button>
          </p>
        </div>
      ))}
    </>
  )
}
