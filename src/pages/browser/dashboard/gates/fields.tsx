/** The fields of the gate forms. Each reports a change to its owner, and keeps no state of its own. */

import { type ComponentChildren, createContext } from 'preact'
import { useContext, useId, useState } from 'preact/hooks'
import { gateForm as words } from '../../../words/en/gate-form.ts'
import { Field } from '../parts.tsx'
import type { TypedNumber } from './definition.ts'

interface Common {
  readonly label: string
  readonly hint?: ComponentChildren
  readonly error?: string | undefined
  readonly optional?: boolean
}

/** True after the owner asked to publish: then every fault is marked. */
export const MarksAll = createContext(false)

/** Marks its fault only after the person has left it, so that nobody is corrected while they type. */
export function MarkedField({
  error,
  isUnreadable = false,
  onLeave,
  ...field
}: Parameters<typeof Field>[0] & {
  /** Its text is no value. A form that opens again marks this at once. */
  readonly isUnreadable?: boolean
}) {
  const [wasLeft, setLeft] = useState(isUnreadable)
  const marksAll = useContext(MarksAll)
  const leave = (): void => {
    setLeft(true)
    onLeave?.()
  }
  return <Field {...field} error={wasLeft || marksAll ? error : undefined} onLeave={leave} />
}

export function TextField({
  value,
  onChange,
  rows,
  maxLength = 2048,
  code = false,
  ...field
}: Common & {
  readonly value: string
  /** Set for a text of several lines. */
  readonly rows?: number
  readonly maxLength?: number
  readonly code?: boolean
  onChange(value: string): void
  onLeave?(): void
}) {
  return (
    <MarkedField {...field}>
      {(control) =>
        rows ? (
          <textarea
            {...control}
            rows={rows}
            maxLength={maxLength}
            dir="auto"
            value={value}
            onInput={({ currentTarget }) => onChange(currentTarget.value)}
          />
        ) : (
          <input
            {...control}
            maxLength={maxLength}
            dir="auto"
            autocomplete="off"
            spellcheck={!code}
            value={value}
            onInput={({ currentTarget }) => onChange(currentTarget.value)}
          />
        )
      }
    </MarkedField>
  )
}

/**
 * Text that stands for a value. The typed text stays while it means the value; a value that changes from outside is
 * written anew.
 */
export function useTyped<T>(value: T, read: (text: string) => T, write: (value: T) => string) {
  const [typed, setTyped] = useState(() => write(value))
  const text = JSON.stringify(read(typed)) === JSON.stringify(value) ? typed : write(value)
  return [text, setTyped] as const
}

/** A field for whole numbers. Other text is reported as it is: without it, a gate would be published without its limit. */
export function NumberField({
  value,
  onChange,
  ...field
}: Common & { readonly value: TypedNumber | undefined; onChange(value: TypedNumber | undefined): void }) {
  const [text, setText] = useTyped(value, parseNumber, (number) => (number === undefined ? '' : String(number)))
  return (
    <MarkedField
      {...field}
      isUnreadable={typeof value === 'string'}
      error={typeof value === 'string' ? words.form.wholeNumber : field.error}
    >
      {(control) => (
        <input
          {...control}
          inputMode="numeric"
          autocomplete="off"
          maxLength={40}
          value={text}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value)
            onChange(parseNumber(currentTarget.value))
          }}
        />
      )}
    </MarkedField>
  )
}

function parseNumber(typed: string): TypedNumber | undefined {
  const text = typed.trim()
  return /^\d{1,15}$/.test(text) ? Number(text) : text || undefined
}

/** A field for words separated by commas. */
export function WordsField({
  value,
  onChange,
  ...field
}: Common & { readonly value: readonly string[]; onChange(value: readonly string[]): void }) {
  const [text, setText] = useTyped(value, splitWords, (words) => words.join(', '))
  return (
    <TextField
      {...field}
      value={text}
      onChange={(typed) => {
        setText(typed)
        onChange(splitWords(typed))
      }}
    />
  )
}

const splitWords = (text: string): readonly string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean)

export function SelectField({
  value,
  options,
  onChange,
  ...field
}: Common & {
  readonly value: string
  readonly options: readonly (readonly [value: string, label: string])[]
  onChange(value: string): void
}) {
  return (
    <MarkedField {...field}>
      {(control) => (
        <select {...control} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
          {options.map(([one, label]) => (
            <option key={one} value={one}>
              {label}
            </option>
          ))}
        </select>
      )}
    </MarkedField>
  )
}

const units = [
  ['minute', 60_000],
  ['hour', 3_600_000],
  ['day', 86_400_000],
] as const

const findUnit = (ms: number): (typeof units)[number] => units.findLast(([, one]) => ms % one === 0) ?? units[0]

/** A field for a duration: a number and its unit. */
export function Duration({
  value,
  onChange,
  ...field
}: Common & { readonly value: TypedNumber | undefined; onChange(value: TypedNumber | undefined): void }) {
  const [[unit, length], setUnit] = useState(typeof value === 'number' ? findUnit(value) : units[2])
  return (
    <div class="duration">
      <NumberField
        {...field}
        optional
        value={typeof value === 'number' ? Math.round(value / length) : value}
        onChange={(typed) => onChange(typeof typed === 'number' ? typed * length : typed)}
      />
      <SelectField
        label={words.form.unit}
        value={unit}
        options={units.map(([word]) => [word, words.form.units[word]])}
        onChange={(word) => {
          const next = units.find(([one]) => one === word) ?? units[2]
          setUnit(next)
          if (typeof value === 'number') onChange(Math.round(value / length) * next[1])
        }}
      />
    </div>
  )
}

export function Tick({
  label,
  hint,
  checked,
  onChange,
}: {
  readonly label: ComponentChildren
  readonly hint?: ComponentChildren
  readonly checked: boolean
  onChange(checked: boolean): void
}) {
  const id = useId()
  return (
    <div class="field tick">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <div>
        <label for={id}>{label}</label>
        {hint && (
          <p class="hint" id={`${id}-hint`}>
            {hint}
          </p>
        )}
      </div>
    </div>
  )
}

/** A field for a local date and time, kept as UTC. */
export function MomentField({
  value,
  onChange,
  ...field
}: Common & { readonly value: string | undefined; onChange(value: string | undefined): void }) {
  return (
    <MarkedField {...field} isUnreadable={value !== undefined && toLocal(value) === ''} optional>
      {(control) => (
        <input
          {...control}
          type="datetime-local"
          value={toLocal(value)}
          onInput={({ currentTarget }) => onChange(readMoment(currentTarget))}
          // A day without a time changes no value, so the browser reports no input.
          onBlur={({ currentTarget }) => {
            const isUnfinished = currentTarget.validity.badInput
            if (isUnfinished || value === '') onChange(readMoment(currentTarget))
          }}
        />
      )}
    </MarkedField>
  )
}

/** An unfinished moment is an empty text, which the server refuses: left out, the gate would have no such limit. */
function readMoment({ value, validity }: HTMLInputElement): string | undefined {
  const at = Date.parse(value)
  if (!Number.isNaN(at)) return new Date(at).toISOString()
  return validity.badInput ? '' : undefined
}

/** Formats the value as the input requires: without an offset, to the minute. */
function toLocal(moment: string | undefined): string {
  const at = moment === undefined ? Number.NaN : Date.parse(moment)
  if (Number.isNaN(at)) return ''
  const offsetMs = new Date(at).getTimezoneOffset() * 60_000
  return new Date(at - offsetMs).toISOString().slice(0, 16)
}
