/** Another version was published meanwhile: shows its changes, the effect of ours, and the choices. */

import { gateWorkspace as words } from '../../../words/en/gate-workspace.ts'
import { Address } from '../address.tsx'
import { useAction, useLoad } from '../load.ts'
import { Waiting } from '../parts.tsx'
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
        {words.conflict.title(gate.version)}
      </h2>
      <p>
        {words.conflict.base(baseVersion)}
        {newest.data &&
          words.conflict.newer(<Address value={newest.data.data.author} />, <Time at={newest.data.data.createdAt} />)}
        {words.conflict.safe}
      </p>
      <Problem error={old.error ?? newest.error} />
      {old.data && newest.data ? (
        <div class="sides">
          <div class="side">
            <h3 class="side-title">{words.conflict.theirs}</h3>
            <Difference
              lines={compareDefinitions(old.data.data.definition, newest.data.data.definition)}
              definitions={[newest.data.data.definition, old.data.data.definition]}
              label={words.conflict.theirs}
            />
          </div>
          <div class="side">
            <h3 class="side-title">{words.conflict.ours}</h3>
            {isCompared && preview.gate ? (
              <Difference
                lines={preview.gate.difference}
                definitions={[ours, newest.data.data.definition]}
                label={words.conflict.ours}
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
        <p>{words.conflict.both(<strong>{together.both.map(nameMember).join(', ')}</strong>)}</p>
      )}
      <div class="actions">
        <button
          type="button"
          class="button"
          aria-disabled={together === undefined}
          onClick={() => together && onMerge(together.definition)}
        >
          {words.conflict.merge}
        </button>
        <button
          type="button"
          class="button secondary"
          aria-disabled={!canPublish || action.isBusy}
          onClick={() => canPublish && void action.run()}
        >
          {words.conflict.publish(gate.version)}
        </button>
        <button type="button" class="button secondary" onClick={onTakeTheirs}>
          {words.conflict.take(gate.version)}
        </button>
      </div>
    </section>
  )
}
