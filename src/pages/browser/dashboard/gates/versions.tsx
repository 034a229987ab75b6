/** The history of a gate: each version, its changes, and a way to restore it. */

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { gateWorkspace as words } from '../../../words/en/gate-workspace.ts'
import { Address } from '../address.tsx'
import { callApi } from '../api.ts'
import { Confirm } from '../dialog.tsx'
import { useLoad } from '../load.ts'
import { Tag, Waiting } from '../parts.tsx'
import { Problem } from '../problem.tsx'
import { Time } from '../time.tsx'
import { toast } from '../toast.tsx'
import { buildVersionPath, type VersionAnswer } from './conflict.tsx'
import type { OwnGate } from './definition.ts'
import { compareDefinitions, Difference } from './difference.tsx'
import { SelectField } from './fields.tsx'
import { Refused } from './finding-list.tsx'
import { gatesPath } from './gates.tsx'
import { writeSource } from './source.tsx'

interface VersionsAnswer {
  readonly data: {
    readonly versions: readonly { readonly version: number; readonly author: string; readonly createdAt: number }[]
    /** The number of versions that are no longer kept. */
    readonly removed: number
  }
}

const mostShown = 50

export function Versions({ gate, onRolledBack }: { readonly gate: OwnGate; onRolledBack(): Promise<unknown> }) {
  const path = `${gatesPath}/${encodeURIComponent(gate.gateId)}`
  const loaded = useLoad<VersionsAnswer>(`${path}/versions`, gate.version)
  const [looked, setLooked] = useState<number>()
  const [goingBack, setGoingBack] = useState<number>()
  const [shown, setShown] = useState(mostShown)
  const wanted = useLoad<VersionAnswer>(goingBack === undefined ? undefined : buildVersionPath(gate.gateId, goingBack))
  const versions = loaded.data?.data.versions
  return (
    <section aria-labelledby="versions-title">
      <h2 class="bench-title" id="versions-title">
        {words.versions.title}
      </h2>
      <Problem error={loaded.error} retry={() => void loaded.reload()} />
      {versions === undefined && loaded.isLoading && <Waiting />}
      <ol class="list versions" aria-label={words.versions.label}>
        {versions?.slice(0, shown).map(({ version, author, createdAt }) => (
          <li key={version}>
            <div class="list-text">
              <strong>
                {words.versions.version(version)}{' '}
                {version === gate.version && <Tag kind="good">{words.versions.current}</Tag>}
              </strong>
              <span>
                {words.versions.authored<ComponentChildren>(
                  <Time at={createdAt} />,
                  author === 'operator' ? words.versions.operator : <Address value={author} />,
                )}
              </span>
            </div>
            <div class="row-actions">
              <button
                type="button"
                class="link"
                aria-expanded={looked === version}
                onClick={() => setLooked(looked === version ? undefined : version)}
              >
                {looked === version ? words.versions.hide : words.versions.show}{' '}
                <span class="visually-hidden">{words.versions.version(version)}</span>
              </button>
              {version !== gate.version && (
                <button type="button" class="link" onClick={() => setGoingBack(version)}>
                  {words.versions.restore} <span class="visually-hidden">{words.versions.version(version)}</span>
                </button>
              )}
            </div>
            {looked === version && <Look gate={gate} version={version} kept={versions.map((one) => one.version)} />}
          </li>
        ))}
      </ol>
      {versions !== undefined && versions.length > shown && (
        <button type="button" class="button secondary small" onClick={() => setShown(shown + mostShown)}>
          {words.versions.older}
        </button>
      )}
      {loaded.data !== undefined && loaded.data.data.removed > 0 && (
        <p class="quiet">{words.versions.removed(loaded.data.data.removed)}</p>
      )}
      {goingBack !== undefined && (
        <Confirm
          title={words.versions.restoreTitle(goingBack)}
          yes={words.versions.restoreYes}
          danger={false}
          renderError={(error) => (
            <Refused error={error} definition={wanted.data?.data.definition ?? gate.definition} />
          )}
          onYes={async () => {
            const { data } = await callApi<{ readonly data: { readonly version: number } }>(
              'POST',
              `${path}/rollback`,
              {
                body: { version: goingBack, expectedVersion: gate.version },
              },
            )
            toast(words.versions.restored(goingBack, data.version))
            await onRolledBack()
            await loaded.reload()
          }}
          onClose={() => setGoingBack(undefined)}
        >
          <p>{words.versions.effect(goingBack)}</p>
          <Compared gateId={gate.gateId} before={gate.version} after={goingBack} />
        </Confirm>
      )}
    </section>
  )
}

interface LookProps {
  readonly gate: OwnGate
  readonly version: number
  /** The kept version numbers, the newest first. */
  readonly kept: readonly number[]
}

function Look({ gate, version, kept }: LookProps) {
  const loaded = useLoad<VersionAnswer>(buildVersionPath(gate.gateId, version))
  const choices = kept.filter((one) => one !== version)
  const [against, setAgainst] = useState(choices.find((one) => one < version) ?? gate.version)
  return (
    <div class="look">
      <Problem error={loaded.error} />
      {choices.length > 0 && (
        <>
          <SelectField
            label={words.versions.against}
            value={String(against)}
            options={choices.slice(0, 200).map((one) => [String(one), words.versions.version(one)])}
            onChange={(one) => setAgainst(Number(one))}
          />
          <Compared gateId={gate.gateId} before={Math.min(against, version)} after={Math.max(against, version)} />
        </>
      )}
      <details>
        <summary>{words.versions.whole}</summary>
        <pre class="code">{loaded.data && writeSource(loaded.data.data.definition)}</pre>
      </details>
    </div>
  )
}

function Compared({
  gateId,
  before,
  after,
}: {
  readonly gateId: string
  readonly before: number
  readonly after: number
}) {
  const one = useLoad<VersionAnswer>(buildVersionPath(gateId, before))
  const other = useLoad<VersionAnswer>(buildVersionPath(gateId, after))
  if (one.error || other.error) return <Problem error={one.error ?? other.error} />
  if (one.data?.data.version !== before || other.data?.data.version !== after) return <Waiting />
  return (
    <>
      <h3>{words.versions.between(before, after)}</h3>
      <Difference
        lines={compareDefinitions(one.data.data.definition, other.data.data.definition)}
        definitions={[other.data.data.definition, one.data.data.definition]}
        label={words.versions.differences}
      />
      <p class="quiet">{words.versions.hiddenValues}</p>
    </>
  )
}
