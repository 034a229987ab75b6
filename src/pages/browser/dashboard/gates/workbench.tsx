/**
 * The workspace of one gate: its forms, its source, its preview, and publishing. Each change is saved in this browser,
 * so it survives a closed page, an ended session and a conflicting version.
 */

import { useLayoutEffect, useState } from 'preact/hooks'
import { ProofgateError } from '../../../../client/client.ts'
import { hasGuestList } from '../../../../gates/guests/guest-list.ts'
import { gateAppearance } from '../../../words/en/gate-appearance.ts'
import { gateWorkspace as workspaceWords } from '../../../words/en/gate-workspace.ts'
import { gates as listWords } from '../../../words/en/gates.ts'
import { Copyable } from '../address.tsx'
import { callApi } from '../api.ts'
import { readNow } from '../model.ts'
import { Heading } from '../parts.tsx'
import { adjust, go, useGuard, useRoute } from '../route.ts'
import { Time } from '../time.tsx'
import { toast } from '../toast.tsx'
import { AppearanceEditor } from './appearance-editor.tsx'
import type { Catalog } from './catalog.ts'
import { withMethodNames } from './catalog.ts'
import { Conflict } from './conflict.tsx'
import { type Definition, isDrawable, type OwnGate } from './definition.ts'
import {
  buildKey,
  dropDraft,
  type FoundDraft,
  hasSecrets,
  keepDraft,
  listOtherDrafts,
  readDraft,
  readWork,
  setAside,
  type Work,
} from './drafts.ts'
import { MarksAll } from './fields.tsx'
import { HasNoWay } from './finding-list.tsx'
import { GateForm } from './gate-form.tsx'
import { gatesPath, StatusTag } from './gates.tsx'
import { FirstGuests, sendFirstGuests } from './guest-editor.tsx'
import { KeptDrafts } from './kept-drafts.tsx'
import { Passed } from './passed.tsx'
import { usePreview } from './preview.ts'
import { PreviewPanel } from './preview-panel.tsx'
import { PublishDialog } from './publish.tsx'
import { Share } from './share.tsx'
import { Source } from './source.tsx'
import { Tabs, useTab } from './tabs.tsx'
import { TrialForm } from './trial.tsx'
import { Versions } from './versions.tsx'

interface WorkbenchProps {
  /** The id of the gate; empty for a new one. */
  readonly place: string
  readonly gate: OwnGate | undefined
  /** The definition before any change. */
  readonly base: Definition
  readonly baseVersion: number
  readonly catalog: Catalog
  onReload(): Promise<unknown>
  /** Called when a new gate is discarded. */
  onAbandon(): void
}

const isSame = (one: Definition, other: Definition): boolean => JSON.stringify(one) === JSON.stringify(other)

export function Workbench({ place, gate, base, baseVersion, catalog, onReload, onAbandon }: WorkbenchProps) {
  const isNew = gate === undefined
  const [restored] = useState(() => readDraft(buildKey(place)))
  const [work, setWork] = useState<Work>(() => (restored ? readWork(restored) : { definition: base, baseVersion }))
  const [isKept, setKept] = useState(true)
  const [savedAt, setSavedAt] = useState(restored?.savedAt)
  const [others, setOthers] = useState(() => listOtherDrafts(place))
  const [dialog, setDialog] = useState<'publish' | 'share'>()
  const { query } = useRoute()
  const [isPublishing, setPublishing] = useState(false)
  const [marksAll, setMarksAll] = useState(false)

  const isChanged = isNew || !isSame(work.definition, base) || work.fault !== undefined
  const isOvertaken = gate !== undefined && gate.version !== work.baseVersion
  const preview = usePreview(work.definition, gate?.version)
  useGuard(isKept ? undefined : workspaceWords.bench.leave)

  // Before paint: an edit made between paint and effect would be overwritten.
  useLayoutEffect(() => {
    // Without edits here, the newer version replaces the old one.
    if (!isNew && savedAt === undefined) setWork({ definition: base, baseVersion })
  }, [JSON.stringify(base), baseVersion])

  const begin = (changed: Work): void => {
    const { guests = work.guests ?? '' } = changed
    const next = { ...changed, guests }
    setWork(next)
    const isBase = !isNew && next.fault === undefined && isSame(next.definition, base)
    if (isBase) {
      dropDraft(buildKey(place))
      setSavedAt(undefined)
      setKept(true)
    } else {
      const at = readNow()
      setKept(keepDraft(place, { ...next, savedAt: at }))
      setSavedAt(at)
    }
  }
  const change = (definition: Definition): void => begin({ definition, baseVersion: work.baseVersion })
  const write = (source: string): void => {
    const read = parseDefinition(source)
    begin({ definition: work.definition, baseVersion: work.baseVersion, source, ...read })
  }
  const discard = (): void => {
    dropDraft(buildKey(place))
    setSavedAt(undefined)
    setKept(true)
    setWork({ definition: base, baseVersion })
    if (isNew) onAbandon()
    else toast(workspaceWords.bench.discarded)
  }

  /** Invalid text is neither published nor merged: it is stored among the drafts. */
  const setUnfinishedAside = (): void => {
    if (work.fault === undefined) return
    setAside(place, { ...work, savedAt: readNow() })
    setOthers(listOtherDrafts(place))
  }
  const publish = async (expectedVersion: number): Promise<void> => {
    const { definition } = work
    setPublishing(true)
    try {
      const { data } = await callApi<{ readonly data: { readonly version: number; readonly outcome: string } }>(
        'POST',
        gatesPath,
        { body: { definition, expectedVersion } },
      )
      setUnfinishedAside()
      dropDraft(buildKey(place))
      setSavedAt(undefined)
      if (!isNew) await onReload()
      setDialog(undefined)
      toast(
        data.outcome === 'unchanged' ? workspaceWords.bench.unchanged : workspaceWords.bench.published(data.version),
      )
      const shares = definition.status !== 'draft' && definition.status !== 'paused'
      if (isNew) {
        const isSent = !hasGuestList(definition) || (await sendFirstGuests(definition.gateId, work.guests ?? ''))
        return go(`/gates/${definition.gateId}${shares && isSent ? '?share=new' : ''}`, { replace: true })
      }
      setWork((before) => ({ ...before, baseVersion: -1 }))
    } catch (error) {
      if (!(error instanceof ProofgateError) || typeof error.details.currentVersion !== 'number' || isNew) throw error
      setDialog(undefined)
      await onReload()
    } finally {
      setPublishing(false)
    }
  }
  useLayoutEffect(() => {
    // After publishing, the published version is the base of the next change.
    if (work.baseVersion === -1) setWork({ definition: base, baseVersion })
  }, [work.baseVersion, baseVersion])

  const tabs = [
    { id: 'form', label: workspaceWords.bench.tabNames.form },
    { id: 'source', label: workspaceWords.bench.tabNames.source },
    { id: 'try', label: workspaceWords.bench.tabNames.try },
    ...(isNew
      ? []
      : [
          { id: 'appearance', label: gateAppearance.tab },
          { id: 'versions', label: workspaceWords.bench.tabNames.versions },
          { id: 'passed', label: workspaceWords.bench.tabNames.passed },
        ]),
  ]
  const tab = useTab(tabs)
  const isWriting = tab === 'form' || tab === 'source'
  /** Whoever publishes sees every fault, also of fields that were not touched. */
  const askToPublish = (): void => {
    setMarksAll(true)
    setDialog('publish')
  }
  const canPublish = isChanged && work.fault === undefined && !isOvertaken

  return (
    <HasNoWay.Provider value={catalog.ways.length === 0}>
      <Heading
        title={
          <>
            <bdi>{work.definition.name || (isNew ? workspaceWords.bench.newGate : gate.gateId)}</bdi>
            {gate && (
              <>
                {' '}
                <StatusTag status={gate.status} />
              </>
            )}
          </>
        }
        lead={
          gate
            ? workspaceWords.bench.version(<Copyable text={gate.gateId} />, gate.version)
            : workspaceWords.bench.unpublished
        }
      >
        {gate && (
          <button type="button" class="button secondary" onClick={() => setDialog('share')}>
            {listWords.list.share}
          </button>
        )}
        <button type="button" class="button" aria-disabled={!canPublish} onClick={() => canPublish && askToPublish()}>
          {workspaceWords.bench.publish}
        </button>
      </Heading>

      <KeptDrafts
        drafts={others}
        onTake={(draft: FoundDraft) => {
          if (isPublishing) return
          if (savedAt !== undefined) setAside(place, { ...work, savedAt })
          dropDraft(draft.key)
          begin(readWork(draft))
          setOthers(listOtherDrafts(place))
        }}
        onDrop={({ key }) => {
          dropDraft(key)
          setOthers(listOtherDrafts(place))
        }}
      />
      {savedAt !== undefined && (
        <p class="draft-note">
          {isKept
            ? (restored?.savedAt === savedAt ? workspaceWords.bench.restored : workspaceWords.bench.kept)(
                <Time at={savedAt} />,
              )
            : workspaceWords.bench.notKept}
          {isKept && hasSecrets(work) && workspaceWords.bench.keepsSecrets}
          <button type="button" class="link" onClick={discard}>
            {workspaceWords.bench.discard}
          </button>
        </p>
      )}
      {isOvertaken && savedAt !== undefined && work.baseVersion >= 0 && (
        <Conflict
          gate={gate}
          baseVersion={work.baseVersion}
          preview={preview}
          ours={work.definition}
          onMerge={(definition) => {
            setUnfinishedAside()
            begin({ definition, baseVersion: gate.version })
            toast(workspaceWords.bench.merged(gate.version))
          }}
          onPublish={() => publish(gate.version)}
          onTakeTheirs={() => {
            setAside(place, { ...work, savedAt })
            dropDraft(buildKey(place))
            setSavedAt(undefined)
            setWork({ definition: base, baseVersion })
            setOthers(listOtherDrafts(place))
          }}
        />
      )}

      <Tabs tabs={tabs} current={tab} label={workspaceWords.bench.tabs}>
        <div class={isWriting ? 'bench' : undefined} inert={isPublishing}>
          <div class="bench-main" data-kept={isWriting ? '' : undefined}>
            {tab === 'form' &&
              (isDrawable(work.definition) ? (
                <MarksAll.Provider value={marksAll}>
                  <FirstGuests.Provider
                    value={{ text: work.guests ?? '', onText: (guests) => begin({ ...work, guests }) }}
                  >
                    <GateForm
                      definition={work.definition}
                      isNew={isNew}
                      catalog={catalog}
                      findings={preview.data?.findings ?? []}
                      onChange={change}
                    />
                  </FirstGuests.Provider>
                </MarksAll.Provider>
              ) : (
                <p class="notice warning">{workspaceWords.bench.badShape}</p>
              ))}
            {tab === 'source' && (
              <Source
                definition={work.definition}
                text={work.source}
                fault={work.fault}
                onText={write}
                onDefinition={(definition) => {
                  change(isNew ? definition : { ...definition, gateId: place })
                  toast(workspaceWords.bench.imported)
                }}
              />
            )}
            {tab === 'try' && <TrialForm definition={work.definition} />}
            {tab === 'appearance' && gate && <AppearanceEditor gateId={gate.gateId} />}
            {tab === 'versions' && gate && <Versions gate={gate} onRolledBack={onReload} />}
            {tab === 'passed' && gate && <Passed gate={gate} />}
          </div>
          {isWriting && (
            <PreviewPanel
              preview={preview}
              definition={work.definition}
              isNew={isNew}
              isAsked={marksAll}
              onPublish={canPublish ? askToPublish : undefined}
            />
          )}
        </div>
      </Tabs>
      {dialog === 'publish' && (
        <PublishDialog
          preview={preview}
          isNew={isNew}
          definition={work.definition}
          onPublish={() => publish(work.baseVersion)}
          onClose={() => setDialog(undefined)}
        />
      )}
      {gate && (dialog === 'share' || query.has('share')) && (
        <Share
          gate={gate}
          onClose={() => {
            setDialog(undefined)
            if (query.has('share')) adjust({ share: undefined }, { replace: true })
          }}
        />
      )}
    </HasNoWay.Provider>
  )
}

function parseDefinition(source: string): { readonly definition: Definition } | { readonly fault: string } {
  try {
    const value: unknown = JSON.parse(source)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { definition: withMethodNames(value as Definition) }
      : { fault: workspaceWords.bench.noObject }
  } catch (error) {
    return {
      fault: workspaceWords.bench.notJson(error instanceof Error ? error.message : workspaceWords.bench.lookAtIt),
    }
  }
}
