/** One thing that a gate asks for. */

import { guestListId } from '../../../../gates/guests/guest-list.ts'
import type { CriterionField } from '../../../../verifiers/words.ts'
import { gateForm as gates } from '../../../words/en/gate-form.ts'
import { findWords } from '../verifier-words.ts'
import type { Catalog } from './catalog.ts'
import { changeMembers, type Finding, type MatchRow, type Requirement, removeAt, replaceAt } from './definition.ts'
import { Duration, MarkedField, NumberField, SelectField, TextField, Tick, useTyped } from './fields.tsx'
import { GuestEditor } from './guest-editor.tsx'
import { findRow, listFields, listFurtherRows, nameChain, setField } from './match-fields.ts'
import { findFault } from './preview.ts'

const { requirement: words, form } = gates

export function RequirementForm({
  requirement,
  at,
  catalog,
  findings,
  guestsOf,
  onChange,
  onRemove,
}: {
  readonly requirement: Requirement
  readonly at: number
  readonly catalog: Catalog
  readonly findings: readonly Finding[]
  /** The published gate that a guest list belongs to. Empty: none yet. */
  readonly guestsOf: string
  onChange(requirement: Requirement): void
  onRemove(): void
}) {
  const { verifierId, match = [], optional = false, minCount, maxAgeMs, final = false, recheck = false } = requirement
  const path = `requirements[${at}]`
  const set = (changes: Partial<{ [Name in keyof Requirement]: Requirement[Name] | undefined }>) =>
    onChange(changeMembers(requirement, changes))
  const setMatch = (rows: readonly MatchRow[]) => set({ match: rows.length > 0 ? rows : undefined })
  const { title, says, lead, readsState = false } = nameRequired(verifierId)
  const offered = [...catalog.verifierIds, guestListId]
  // What is not offered stays chosen, and nothing is chosen of a new one.
  const ids = offered.includes(verifierId) ? offered : [verifierId, ...offered]
  const further = listFurtherRows(verifierId, match)
  const findRowFault = (row: number, member: string) => findFault(findings, `${path}.match[${row}].${member}`)

  return (
    <fieldset class="card-form">
      <legend>{title}</legend>
      <button type="button" class="link remove" onClick={onRemove}>
        {form.remove} <span class="visually-hidden">{title}</span>
      </button>
      <SelectField
        label={words.verifierId}
        value={verifierId}
        // The lead of a verifier speaks to the person who makes the proof.
        hint={says === undefined ? lead : words.shows(says)}
        error={findFault(findings, `${path}.verifierId`) ?? findFault(findings, path)}
        options={ids.map((id) => [id, id === '' ? words.choose : nameRequired(id).title])}
        onChange={(id) =>
          onChange(
            changeMembers(requirement, {
              verifierId: id,
              match: undefined,
              final: undefined,
              recheck: undefined,
              ...(id === guestListId ? { minCount: undefined, maxAgeMs: undefined } : {}),
            }),
          )
        }
      />
      {verifierId === guestListId && <GuestEditor gateId={guestsOf} />}
      <div class="field-row">
        {listFields(verifierId).map((field) => (
          <div key={field.path} class={field.kind === 'address' ? 'whole-row' : undefined}>
            <MatchControl
              field={field}
              value={match[findRow(match, field)]?.value ?? ''}
              chains={catalog.chains}
              error={findRow(match, field) < 0 ? undefined : findRowFault(findRow(match, field), 'value')}
              onChange={(value) => setMatch(setField(match, field, value))}
            />
          </div>
        ))}
      </div>
      {verifierId !== guestListId && verifierId !== '' && (
        <details open={further.length > 0 || isText(minCount) || isText(maxAgeMs) || undefined}>
          <summary>{form.moreConditions}</summary>
          <div class="details-body">
            <div class="field-row">
              <NumberField
                label={words.minCount}
                hint={form.minCountHint}
                optional
                value={minCount}
                error={findFault(findings, `${path}.minCount`)}
                onChange={(value) => set({ minCount: value })}
              />
              <Duration
                label={words.maxAgeMs}
                value={maxAgeMs}
                error={findFault(findings, `${path}.maxAgeMs`)}
                onChange={(value) => set({ maxAgeMs: value })}
              />
            </div>
            <Tick
              label={words.optional}
              hint={form.optionalHint}
              checked={optional}
              onChange={(value) => set({ optional: value || undefined })}
            />
            {(readsState || final) && (
              <Tick
                label={words.final}
                hint={form.finalHint}
                checked={final}
                onChange={(value) => set({ final: value || undefined })}
              />
            )}
            {(readsState || recheck) && (
              <Tick
                label={words.recheck}
                hint={form.recheckHint}
                checked={recheck}
                onChange={(value) => set({ recheck: value || undefined })}
              />
            )}
            {further.map((row) => (
              <div class="field-row match-row" key={row}>
                <TextField
                  label={form.conditionPath}
                  value={match[row]!.path}
                  hint={form.conditionPathHint}
                  error={findRowFault(row, 'path')}
                  onChange={(value) => setMatch(replaceAt(match, row, { ...match[row]!, path: value }))}
                />
                <SelectField
                  label={form.conditionOp}
                  value={match[row]!.op}
                  options={Object.entries(gates.values.ops)}
                  onChange={(op) => setMatch(replaceAt(match, row, { ...match[row]!, op: op as MatchRow['op'] }))}
                />
                <TextField
                  label={form.conditionValue}
                  value={match[row]!.value}
                  error={findRowFault(row, 'value')}
                  onChange={(value) => setMatch(replaceAt(match, row, { ...match[row]!, value }))}
                />
                <button type="button" class="link" onClick={() => setMatch(removeAt(match, row))}>
                  {form.removeCondition}
                </button>
              </div>
            ))}
            <button
              type="button"
              class="button secondary small"
              onClick={() => setMatch([...match, { path: '', op: 'eq', value: '' }])}
            >
              {form.addCondition}
            </button>
          </div>
        </details>
      )}
    </fieldset>
  )
}

/** A number that was typed as text is wrong, and must be seen. */
const isText = (value: unknown): boolean => typeof value === 'string'

/** The guest list is no verifier, so the words of verifiers do not name it. */
export const nameRequired = (verifierId: string) =>
  verifierId === ''
    ? { ...findWords(verifierId), title: words.unknown }
    : verifierId === guestListId
      ? { ...findWords(verifierId), title: words.guestList, lead: words.guestLead }
      : findWords(verifierId)

function MatchControl({
  field,
  value,
  chains,
  error,
  onChange,
}: {
  readonly field: CriterionField
  readonly value: string
  readonly chains: readonly number[]
  readonly error: string | undefined
  onChange(value: string): void
}) {
  const { label, hint, kind } = field
  const read = (typed: string): string => {
    const text = typed.trim()
    // EVM addresses are kept in lower case, and compared as they are written.
    return kind === 'address' && /^0x[0-9a-fA-F]{40}$/.test(text) ? text.toLowerCase() : text
  }
  const [text, setText] = useTyped(value, read, String)
  if (kind === 'chain' || Array.isArray(kind)) {
    const options: (readonly [string, string])[] =
      kind === 'chain'
        ? chains.map((id) => [String(id), nameChain(id)] as const)
        : [...(kind as readonly (readonly [string, string])[])]
    if (value !== '' && !options.some(([one]) => one === value)) options.push([value, value])
    return (
      <SelectField
        label={label}
        value={value}
        error={error}
        options={[['', form.any], ...options]}
        onChange={onChange}
      />
    )
  }
  return (
    <MarkedField label={label} hint={hint} error={error}>
      {(control) => (
        <input
          {...control}
          value={text}
          spellcheck={false}
          autocomplete="off"
          maxLength={2048}
          inputMode={kind === 'number' ? 'decimal' : 'text'}
          class={kind === 'address' ? 'address' : undefined}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value)
            onChange(read(currentTarget.value))
          }}
        />
      )}
    </MarkedField>
  )
}
