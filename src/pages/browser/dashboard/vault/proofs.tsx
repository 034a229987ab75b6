/** Lists the proofs of all wallets of the signed-in person: search, details, sharing, revocation, export. */

import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { isNarrowed, readQuestion } from '../../../vault-question.ts'
import { dashboard as shared } from '../../../words/en/dashboard.ts'
import { proofExport, proofList as words } from '../../../words/en/vault.ts'
import { formatCount, formatMoment } from '../../locale.ts'
import { model, readNow, root } from '../model.ts'
import { Command, Empty, Heading, Waiting } from '../parts.tsx'
import { Problem } from '../problem.tsx'
import { adjust, useRoute } from '../route.ts'
import { RowList } from '../row-list.tsx'
import { Checklist } from '../start/checklist.tsx'
import { Detail } from './detail.tsx'
import { More } from './erase.tsx'
import { ExportWindow } from './export-window.tsx'
import { type ProofList, useProofList, wallets } from './list.ts'
import { watchNews } from './news.ts'
import { ProofLine } from './proof-row.tsx'
import { Selection } from './selection.tsx'
import { noFilters, Toolbar } from './toolbar.tsx'

const narrow = matchMedia('(max-width: 45rem)')

export function Proofs() {
  const { query } = useRoute()
  const question = readQuestion(query, readNow())
  const list = useProofList(question)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [isExporting, setExporting] = useState(false)
  const rowHeight = useRowHeight()
  const { rows } = list
  const hasQuestion = isNarrowed(question) || question.withHistory || question.wallet !== ''
  const isEmpty = !list.isNew && !list.isAsking && list.error === undefined && rows.length === 0
  const isFirst = isEmpty && !hasQuestion
  const open = query.get('proof')

  const wasRevoked = (qHash: string): void => {
    const keeps = question.withHistory || question.status === 'revoked'
    list.put(qHash, keeps ? { status: 'revoked' } : undefined)
    setChosen((before) => new Set([...before].filter((one) => one !== qHash)))
  }
  useEffect(() =>
    watchNews(({ revoked, erased, shown, privacy }) => {
      if (revoked) wasRevoked(revoked)
      if (shown && privacy) list.put(shown, { privacy })
      if (erased) list.reload()
    }),
  )
  // Another query clears the selection, so that only visible proofs are selected.
  const asked = JSON.stringify(question)
  useEffect(() => setChosen(new Set()), [asked])
  useLayoutEffect(() => {
    if (!list.isAsking && !list.isNew) performance.mark('proofs-shown')
  })

  const choose = (qHash: string): void =>
    setChosen((before) => {
      const after = new Set(before)
      if (!after.delete(qHash)) after.add(qHash)
      return after
    })

  return (
    <>
      <Heading title={words.title}>
        {!isFirst && (
          <a class="button small" href={new URL('verify', root).href}>
            {words.make}
          </a>
        )}
        {rows.length > 0 && (
          <button type="button" class="button secondary small" onClick={() => setExporting(true)}>
            {words.export}
          </button>
        )}
        {!isFirst && !hasQuestion && !list.isNew && <More onErased={list.reload} />}
      </Heading>
      {!hasQuestion && <Checklist hasProof={list.isNew || list.error !== undefined ? undefined : rows.length > 0} />}
      {!isFirst && <Toolbar question={question} />}
      {!isFirst && <Standing list={list} withHistory={question.withHistory} isSearch={isNarrowed(question)} />}
      {list.isNew && list.isAsking && <Waiting what={words.loading} />}
      {!list.failedToGoOn && <Problem error={list.error} retry={list.reload} />}
      {isFirst && <First />}
      {isEmpty && hasQuestion && (
        <Empty title={words.none}>
          <p>{words.noneText}</p>
          <p>
            <button type="button" class="button secondary small" onClick={() => adjust(noFilters)}>
              {words.showAll}
            </button>
          </p>
        </Empty>
      )}
      {rows.length > 0 && (
        <RowList
          label={words.label}
          rows={rows}
          rowHeight={rowHeight}
          chooseKey={({ qHash }) => qHash}
          hasMore={list.hasMore}
          onNearEnd={list.more}
          onRange={(passed) => setChosen((before) => new Set([...before, ...passed.map(({ qHash }) => qHash)]))}
          onKey={(event, { qHash }) => {
            const hasModifier = event.ctrlKey || event.metaKey
            if (event.key === 'x' && !hasModifier) choose(qHash)
            else if (event.key === 'a' && hasModifier) setChosen(new Set(rows.map((one) => one.qHash)))
            else if (event.key === 'Escape') setChosen(new Set())
            else return
            event.preventDefault()
          }}
        >
          {(row) => (
            <ProofLine
              row={row}
              isChosen={chosen.has(row.qHash)}
              showsWallet={wallets.length > 1}
              onOpen={() => adjust({ proof: row.qHash })}
              onChoose={() => choose(row.qHash)}
            />
          )}
        </RowList>
      )}
      {list.failedToGoOn && <Problem error={list.error} retry={list.reload} />}
      <Selection
        ids={chosen}
        canPickAll={rows.length}
        onPickAll={() => setChosen(new Set(rows.map(({ qHash }) => qHash)))}
        onClear={() => setChosen(new Set())}
        onRevoked={wasRevoked}
      />
      {isExporting && (
        <ExportWindow
          source={{ question }}
          title={hasQuestion ? proofExport.list : proofExport.all}
          onClose={() => setExporting(false)}
        />
      )}
      {open !== null && (
        <Detail
          key={open}
          qHash={open}
          title={rows.find(({ qHash }) => qHash === open)?.title}
          onRevoked={wasRevoked}
          onShown={(qHash, privacy) => list.put(qHash, { privacy })}
        />
      )}
    </>
  )
}

interface StandingOf {
  readonly list: ProofList
  readonly withHistory: boolean
  /** False for the whole list: of all wallets or of one, with or without its history. */
  readonly isSearch: boolean
}

/** The number of proofs and the progress of a search, announced when they change. */
function Standing({ list, withHistory, isSearch }: StandingOf) {
  const { rows, total, isAsking, isNew, hasMore, lookedBackTo, error } = list
  const describeFound = (): string => {
    if (isNew || (error !== undefined && rows.length === 0)) return ''
    if (total !== null && !isSearch) return words.total(formatCount(total), total === 1, !withHistory)
    if (isAsking && lookedBackTo !== undefined)
      return words.foundSoFar(formatCount(rows.length), formatMoment(lookedBackTo))
    if (rows.length === 0) return isAsking ? words.looking : words.noneFound
    const found = formatCount(rows.length)
    return hasMore ? words.newestFound(found) : words.found(found)
  }
  return (
    <p class="vault-standing" role="status">
      {describeFound()}
    </p>
  )
}

function First() {
  return (
    <Empty title={words.firstTitle}>
      <p>{words.first}</p>
      <p>
        <a class="button" href={new URL('verify', root).href}>
          {words.makeFirst}
        </a>
      </p>
      <p>{words.demo}</p>
      <Command text={`${model.program} demo --url ${model.baseUrl}`} label={shared.copyCommand} />
    </Empty>
  )
}

function useRowHeight(): number {
  const [isNarrow, setNarrow] = useState(narrow.matches)
  useEffect(() => {
    const look = () => setNarrow(narrow.matches)
    narrow.addEventListener('change', look)
    return () => narrow.removeEventListener('change', look)
  }, [])
  return isNarrow ? 96 : 68
}
