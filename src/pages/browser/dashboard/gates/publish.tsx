/** The last look before a gate is published. */
import { gateWorkspace as words } from '../../../words/en/gate-workspace.ts'
import { formatUsd } from '../../locale.ts'
import { Dialog } from '../dialog.tsx'
import { useAction } from '../load.ts'
import { Link } from '../parts.tsx'
import { labelMethod } from '../payment-methods.ts'
import { Problem } from '../problem.tsx'
import type { Definition } from './definition.ts'
import { Difference } from './difference.tsx'
import { FindingList, Refused } from './finding-list.tsx'
import type { Preview } from './preview.ts'

export function PublishDialog({
  preview,
  isNew,
  definition,
  onPublish,
  onClose,
}: {
  readonly preview: Preview
  readonly isNew: boolean
  readonly definition: Definition
  onPublish(): Promise<void>
  onClose(): void
}) {
  const action = useAction(onPublish)
  const { gateId, price } = definition
  const { data, gate, isCurrent } = preview
  const errors = data?.findings.filter(({ level }) => level === 'error') ?? []
  const isTaken = isNew && gate !== undefined && gate.currentVersion > 0
  const canPublish = isCurrent && data?.publishable === true && !isTaken
  return (
    <Dialog title={isNew ? words.publishing.title : words.publishing.titleChanges} wide onClose={onClose}>
      {!isCurrent && preview.error === undefined && <p class="quiet">{words.publishing.checking}</p>}
      <Problem error={preview.error} retry={preview.again} isRepeated={false} />
      {isCurrent && errors.length > 0 && (
        <>
          <p>{words.publishing.todo}</p>
          <FindingList findings={errors} definition={definition} />
        </>
      )}
      {isTaken && (
        <p class="notice warning">
          {words.publishing.taken(
            <code>{gateId}</code>,
            <Link to={`/gates/${gateId}`}>{words.publishing.changeThat}</Link>,
          )}
        </p>
      )}
      {canPublish && gate && (
        <>
          <div class="plain-words">
            {gate.lines.map(({ path, text }) => (
              <p key={path + text}>{text}</p>
            ))}
          </div>
          <p>
            <strong>
              {price
                ? words.publishing.costs(
                    formatUsd(price.amountUsd),
                    price.methods.map(labelMethod).join(words.publishing.or),
                  )
                : words.publishing.free}
            </strong>
          </p>
          {isNew ? (
            <p class="quiet">{words.publishing.id(<code>{gateId}</code>)}</p>
          ) : (
            <>
              <h3>{words.preview.changes}</h3>
              <Difference lines={gate.difference} definitions={[definition]} label={words.preview.changes} />
              <p class="quiet">{words.publishing.kept}</p>
            </>
          )}
        </>
      )}
      <Refused error={action.error} definition={definition} />
      <div class="actions">
        <button
          type="button"
          class="button"
          aria-disabled={!canPublish || action.isBusy}
          onClick={() => canPublish && void action.run()}
        >
          {isNew ? words.publishing.yes : words.publishing.yesChanges}
        </button>
        <button type="button" class="button secondary" onClick={onClose}>
          {words.publishing.back}
        </button>
      </div>
    </Dialog>
  )
}
