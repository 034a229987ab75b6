/** The last look before a gate is published. */
import { Dialog } from '../dialog.tsx'
import { useAction } from '../load.ts'
import { Link } from '../parts.tsx'
import { Problem } from '../problem.tsx'
import type { Definition } from './definition.ts'
import { Difference } from './difference.tsx'
import { nameField } from './field-names.ts'
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
  const { gateId } = definition
  const { data, gate, isCurrent } = preview
  const errors = data?.findings.filter(({ level }) => level === 'error') ?? []
  const isTaken = isNew && gate !== undefined && gate.currentVersion > 0
  const canPublish = isCurrent && data?.publishable === true && !isTaken
  return (
    <Dialog title={isNew ? 'Publish this gate?' : 'Publish these changes?'} wide onClose={onClose}>
      {!isCurrent && preview.error === undefined && <p class="quiet">Looking at the last changes …</p>}
      <Problem error={preview.error} retry={preview.again} isRepeated={false} />
      {isCurrent && errors.length > 0 && (
        <>
          <p>There is still something to do:</p>
          <ul class="gate-findings">
            {errors.map(({ path, message }) => (
              <li key={path + message}>
                <strong>
                  <bdi>{nameField(path, definition)}</bdi>
                </strong>{' '}
                <bdi>{message}</bdi>
              </li>
            ))}
          </ul>
        </>
      )}
      {isTaken && (
        <p class="notice warning">
          You have a gate with the id <code>{gateId}</code> already. Choose another id, or{' '}
          <Link to={`/gates/${gateId}`}>change that one</Link>: this draft stays here.
        </p>
      )}
      {canPublish && gate && (
        <>
          <div class="plain-words">
            {gate.lines.map(({ path, text }) => (
              <p key={path + text}>{text}</p>
            ))}
          </div>
          {isNew ? (
            <p class="quiet">
              Its id is <code>{gateId}</code>, and stays so.
            </p>
          ) : (
            <>
              <h3>What changes</h3>
              <Difference lines={gate.difference} definitions={[definition]} label="What changes" />
              <p class="quiet">The version before stays among the versions, and can be brought back.</p>
            </>
          )}
        </>
      )}
      <Problem error={action.error} />
      <div class="actions">
        <button
          type="button"
          class="button"
          aria-disabled={!canPublish || action.isBusy}
          onClick={() => canPublish && void action.run()}
        >
          {isNew ? 'Publish the gate' : 'Publish the changes'}
        </button>
        <button type="button" class="button secondary" onClick={onClose}>
          Go on writing
        </button>
      </div>
    </Dialog>
  )
}
