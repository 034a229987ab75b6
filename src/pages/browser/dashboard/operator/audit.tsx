/** Administrative and security events, the newest first. */

import { useEffect, useState } from 'preact/hooks'
import type { AuditEvent } from '../../../../audit/log-store.ts'
import { auditEvents, audit as words } from '../../../words/en/audit.ts'
import { formatMoment } from '../../locale.ts'
import { Address, Copyable } from '../address.tsx'
import { Dialog } from '../dialog.tsx'
import { root } from '../model.ts'
import { Command, Empty, Heading, Tag, Waiting } from '../parts.tsx'
import { adjust, useRoute } from '../route.ts'
import { RowList } from '../row-list.tsx'
import { Time } from '../time.tsx'
import { type AuditLine, operatorApi } from './answers.ts'
import { useAuditList } from './audit-list.ts'
import { OperatorProblem } from './frame.tsx'

const narrow = matchMedia('(max-width: 45rem)')

export function Audit() {
  const { query } = useRoute()
  const [event, person, until] = ['event', 'person', 'until'].map((name) => query.get(name) ?? '') as [
    string,
    string,
    string,
  ]
  const filter = buildQuery({ event, person, until })
  const { lines, isAsking, error, hasMore, more, reload } = useAuditList(filter)
  const [open, setOpen] = useState<AuditLine>()
  const rowHeight = useRowHeight()
  const isFiltered = filter !== ''
  return (
    <>
      <Heading title={words.title} lead={words.lead}>
        {lines.length > 0 && (
          <a
            class="button secondary small"
            href={new URL(`${operatorApi.slice(1)}/audit/export?${filter.slice(1)}`, root).href}
            download=""
          >
            {words.exportLines}
          </a>
        )}
      </Heading>
      <Filters event={event} person={person} until={until} />
      <OperatorProblem error={error} retry={reload} />
      {isAsking && lines.length === 0 && <Waiting what={words.loading} />}
      {!isAsking && error === undefined && lines.length === 0 && (
        <Empty title={isFiltered ? words.noMatch : words.none}>
          <p>{isFiltered ? words.noMatchLead : words.noneLead}</p>
          {isFiltered && (
            <p>
              <button type="button" class="button secondary small" onClick={() => adjust(noFilter)}>
                {words.showAll}
              </button>
            </p>
          )}
        </Empty>
      )}
      {lines.length > 0 && (
        <RowList
          label={words.label}
          rows={lines}
          rowHeight={rowHeight}
          chooseKey={({ id }) => String(id)}
          hasMore={hasMore}
          onNearEnd={more}
        >
          {(line) => <Row of={line} onOpen={() => setOpen(line)} />}
        </RowList>
      )}
      {open && <Detail of={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}

/** Events that an operator checks first when something is wrong. */
const alarming: ReadonlySet<string> = new Set<AuditEvent>(['refresh_reused', 'code_reused', 'site_code_refused'])

const describeEvent = (event: string): string => (auditEvents as Readonly<Record<string, string>>)[event] ?? event

const noFilter = { event: undefined, person: undefined, until: undefined }

interface Filter {
  readonly event: string
  readonly person: string
  /** As the field of a date and a time has it, in the time zone of the browser. */
  readonly until: string
}

function buildQuery({ event, person, until }: Filter): string {
  const at = Date.parse(until)
  const wanted = { event, person: person.trim(), until: Number.isNaN(at) ? '' : String(Math.max(0, at)) }
  return Object.entries(wanted)
    .map(([name, value]) => (value === '' ? '' : `&${name}=${encodeURIComponent(value)}`))
    .join('')
}

function Filters({ event, person, until }: Filter) {
  // Asked for once it is whole, and as it stands while other answers come.
  const [typed, setTyped] = useState(person)
  const [asked, setAsked] = useState(person)
  if (asked !== person) {
    setAsked(person)
    setTyped(person)
  }
  const isKnown = event === '' || Object.hasOwn(auditEvents, event)
  return (
    <search class="audit-filters">
      <div>
        <label for="audit-event">{words.event}</label>
        <select
          id="audit-event"
          value={event}
          onChange={({ currentTarget }) => adjust({ event: currentTarget.value || undefined })}
        >
          <option value="">{words.every}</option>
          {!isKnown && <option value={event}>{event.slice(0, 40)}</option>}
          {Object.entries(auditEvents).map(([one, name]) => (
            <option key={one} value={one}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <div class="audit-person">
        <label for="audit-person">{words.person}</label>
        <input
          id="audit-person"
          type="search"
          value={typed}
          maxLength={160}
          placeholder={words.personHint}
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          onChange={({ currentTarget }) => adjust({ person: currentTarget.value || undefined })}
        />
      </div>
      <div>
        <label for="audit-after">{words.until}</label>
        <input
          id="audit-after"
          type="datetime-local"
          value={until}
          onChange={({ currentTarget }) => adjust({ until: currentTarget.value || undefined })}
        />
      </div>
      {(event || person || until) && (
        <button type="button" class="link" onClick={() => adjust(noFilter)}>
          {words.clear}
        </button>
      )}
    </search>
  )
}

function Row({ of: line, onOpen }: { readonly of: AuditLine; onOpen(): void }) {
  const { event, wallet, details, at } = line
  return (
    <button type="button" class="audit-row" onClick={onOpen}>
      <span class="audit-event">
        {alarming.has(event) ? <Tag kind="bad">{describeEvent(event)}</Tag> : describeEvent(event)}
      </span>
      <span class="audit-what">
        <bdi>{summarize(details)}</bdi>
      </span>
      <span class="audit-who">
        {wallet === null ? <span class="quiet">{words.nobody}</span> : <Address value={wallet} isPlain />}
      </span>
      <span class="audit-when quiet">
        <Time at={at} />
      </span>
    </button>
  )
}

const longest = 200

const summarize = (details: AuditLine['details']): string =>
  Object.entries(details)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')
    .slice(0, longest)

function Detail({ of: { at, event, wallet, details, id }, onClose }: { readonly of: AuditLine; onClose(): void }) {
  return (
    <Dialog title={describeEvent(event)} onClose={onClose}>
      <dl class="facts">
        <div>
          <dt>{words.when}</dt>
          <dd>
            {formatMoment(at)} (<Time at={at} />)
          </dd>
        </div>
        <div>
          <dt>{words.who}</dt>
          {wallet === null ? (
            <dd>{words.nobodyKnown}</dd>
          ) : (
            <dd>
              <Address value={wallet} whole />
            </dd>
          )}
        </div>
        <div>
          <dt>{words.event}</dt>
          <dd>
            <code>{event}</code>
            <Copyable text={id}>{words.number(id)}</Copyable>
          </dd>
        </div>
      </dl>
      {Object.keys(details).length > 0 && <Command text={JSON.stringify(details, null, 2)} label={words.copyDetails} />}
      {wallet !== null && (
        <button
          type="button"
          class="button secondary small"
          onClick={() => {
            adjust({ ...noFilter, person: wallet })
            onClose()
          }}
        >
          {words.ofPerson}
        </button>
      )}
    </Dialog>
  )
}

function useRowHeight(): number {
  const [isNarrow, setNarrow] = useState(narrow.matches)
  useEffect(() => {
    const look = () => setNarrow(narrow.matches)
    narrow.addEventListener('change', look)
    return () => narrow.removeEventListener('change', look)
  }, [])
  return isNarrow ? 92 : 56
}
