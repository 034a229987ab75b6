/** Another version was published meanwhile: shows its changes, the effect of ours, and the choices. */
import { useAction, useLoad } from '../load.ts'
import { Address, Waiting } from '../parts.tsx'
import { Problem } from '../problem.tsx'
import { Time } from '../time.tsx'
import { type Definition, makeEditable, type OwnGate } from './definition.ts'
import { compareDefinitions, Difference } from './difference.tsx'
import { nameMember } from './field-names.ts'
import { gatesPath } from './gates.tsx'
import { mergeDefinitions } from './merge.ts'
import type { Preview } from './preview.ts'

export interface VersionAnswer {
  readonly data: {
    readonly version: number
    readonly author: string
    readonly createdAt: number
    readonly definition: Definition
  }
}

export const buildVersionPath = (gateId: string, version: number): string =>
  `${gatesPath}/${encodeURIComponent(gateId)}/versions/${version}`

export function Conflict({
  gate,
  baseVersion,
  preview,
  ours,
  onMerge,
  onPublish,
  onTakeTheirs,
}: {
  readonly gate: OwnGate
  readonly baseVersion: number
  readonly preview: Preview
  readonly ours: Definition
  onMerge(definition: Definition): void
  onPublish(): Promise<void>
  onTakeTheirs(): void
}) {
  const old = useLoad<VersionAnswer>(buildVersionPath(gate.gateId, baseVersion))
  const newest = useLoad<VersionAnswer>(buildVersionPath(gate.gateId, gate.version))
  const action = useAction(onPublish)
  // A preview against the older version would hide what our version reverts of the newer one.
  const isCompared = preview.isCurrent && preview.gate?.currentVersion === gate.version
  const canPublish = isCompared && preview.data?.publishable === true
  const status = ours.status ?? 'active'
  const together =
    old.data && newest.data
      ? mergeDefinitions(
          makeEditable(old.data.data.definition, status, baseVersion),
          makeEditable(newest.data.data.definition, status, gate.version),
          ours,
        )
      : undefined
  return (
    <section class="notice warning conflict" role="alert" aria-labelledby="conflict-title">
      <h2 class="conflict-title" id="conflict-title">
        Version {gate.version} was published meanwhile
      </h2>
      <p>
        Yours starts from version {baseVersion}.{' '}
        {newest.data && (
          <>
            The newer one is by <Address value={newest.data.data.author} />, <Time at={newest.data.data.createdAt} />.{' '}
          </>
        )}
        Nothing is lost: what you wrote is still here, and every version is kept.
      </p>
      <Problem error={old.error ?? newest.error} />
      {old.data && newest.data ? (
        <div class="sides">
          <div class="side">
            <h3 class="side-title">What changed there</h3>
            <Difference
              lines={compareDefinitions(old.data.data.definition, newest.data.data.definition)}
              definitions={[newest.data.data.definition, old.data.data.definition]}
              label="What changed there"
            />
          </div>
          <div class="side">
            <h3 class="side-title">Yours alone, on top of it</h3>
            {isCompared && preview.gate ? (
              <Difference
                lines={preview.gate.difference}
                definitions={[ours, newest.data.data.definition]}
                label="What yours would change on top"
              />
            ) : (
              <Waiting />
            )}
          </div>
        </div>
      ) : (
        <Waiting />
      )}
      <Problem error={action.error} />
      {together && together.both.length > 0 && (
        <p>
          Changed on both sides, so that yours would stand: <strong>{together.both.map(nameMember).join(', ')}</strong>.
        </p>
      )}
      <div class="actions">
        <button
          type="button"
          class="button"
          aria-disabled={together === undefined}
          onClick={() => together && onMerge(together.definition)}
        >
          Put both together
        </button>
        <button
          type="button"
          class="button secondary"
          aria-disabled={!canPublish || action.isBusy}
          onClick={() => canPublish && void action.run()}
        >
          Publish mine on top of version {gate.version}
        </button>
        <button type="button" class="button secondary" onClick={onTakeTheirs}>
          Take version {gate.version}, keep mine as a draft
        </button>
      </div>
    </section>
  )
}
