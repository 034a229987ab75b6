/** The editor of a gate: a new one, or the next version of an existing one. */

import { useState } from 'preact/hooks'
import { gateWorkspace as words } from '../../../words/en/gate-workspace.ts'
import { useFresh } from '../fresh.ts'
import { useLoad } from '../load.ts'
import { Heading, Link, Waiting } from '../parts.tsx'
import { Problem } from '../problem.tsx'
import { go } from '../route.ts'
import { Time } from '../time.tsx'
import type { ViewProps } from '../view-props.ts'
import { type Catalog, keepPayable, useCatalog } from './catalog.ts'
import { Chooser } from './chooser.tsx'
import { buildVersionPath, type VersionAnswer } from './conflict.tsx'
import { type Definition, makeEditable, type OwnGate } from './definition.ts'
import { buildKey, dropDraft, keepDraft, listOtherDrafts, readDraft } from './drafts.ts'
import { gatesPath } from './gates.tsx'
import { Workbench } from './workbench.tsx'

interface GatesAnswer {
  readonly data: { readonly gates: readonly OwnGate[] }
}

export function Builder({ params: { gateId } }: ViewProps) {
  const catalog = useCatalog()
  const known = catalog.data
  if (known === undefined)
    return (
      <>
        <Heading title={gateId === undefined ? words.bench.newGate : words.bench.gate} />
        {catalog.error === undefined ? (
          <Waiting />
        ) : (
          <Problem error={catalog.error} retry={() => void catalog.reload()} />
        )}
      </>
    )
  return gateId === undefined ? <NewGate catalog={known} /> : <OldGate gateId={gateId} catalog={known} />
}

function NewGate({ catalog }: { readonly catalog: Catalog }) {
  const [begun, setBegun] = useState<Definition | undefined>(() => readDraft(buildKey(''))?.definition)
  return begun === undefined ? (
    <Chooser onChoose={(definition) => setBegun(keepPayable(definition, catalog))} />
  ) : (
    <Workbench
      place=""
      gate={undefined}
      base={begun}
      baseVersion={0}
      catalog={catalog}
      onReload={async () => undefined}
      onAbandon={() => setBegun(undefined)}
    />
  )
}

function OldGate({ gateId, catalog }: { readonly gateId: string; readonly catalog: Catalog }) {
  const loaded = useLoad<GatesAnswer>(gatesPath)
  const row = loaded.data?.data.gates.find((one) => one.gateId === gateId)
  // A list shortens long definitions, and a shortened one must not be published.
  const whole = useLoad<VersionAnswer>(row?.truncated ? buildVersionPath(gateId, row.version) : undefined)
  const gate = row?.truncated ? completeGate(row, whole.data) : row
  // The gate may have been changed in another tab meanwhile.
  useFresh(loaded.reload)
  if (gate === undefined)
    return (
      <>
        <Heading title={words.bench.gate} />
        <Problem error={loaded.error} retry={() => void loaded.reload()} />
        <Problem error={whole.error} retry={() => void whole.reload()} />
        {(loaded.data === undefined ? loaded.isLoading : row !== undefined && whole.error === undefined) && <Waiting />}
        {loaded.data !== undefined && row === undefined && <NoGate gateId={gateId} />}
      </>
    )
  return (
    <Workbench
      place={gateId}
      gate={gate}
      base={makeEditable(gate.definition, gate.status, gate.version)}
      baseVersion={gate.version}
      catalog={catalog}
      onReload={loaded.reload}
      onAbandon={() => undefined}
    />
  )
}

/** Undefined until the version that the list names is loaded. */
function completeGate(row: OwnGate, answer: VersionAnswer | undefined): OwnGate | undefined {
  if (answer?.data.version !== row.version || answer.data.definition.gateId !== row.gateId) return undefined
  const { truncated: _, ...gate } = row
  return { ...gate, definition: answer.data.definition }
}

/** It may have been deleted in another tab, while it was written here. */
function NoGate({ gateId }: { readonly gateId: string }) {
  const draft = readDraft(buildKey(gateId)) ?? listOtherDrafts(gateId)[0]
  return (
    <>
      <p>
        {words.bench.unknown(
          <code>
            <bdi>{gateId}</bdi>
          </code>,
          <Link to="/gates">{words.bench.seeAll}</Link>,
          <Link to="/gates/new">{words.bench.build}</Link>,
        )}
      </p>
      {draft && (
        <div class="notice">
          <p>{words.bench.draftLeft(<Time at={draft.savedAt} />)}</p>
          <button
            type="button"
            class="link"
            onClick={() => {
              const { key, ...kept } = draft
              if (!keepDraft('', { ...kept, baseVersion: 0 })) return
              dropDraft(key)
              go('/gates/new')
            }}
          >
            {words.bench.takeAsNew}
          </button>
        </div>
      )}
    </>
  )
}
