/** Builds forms from lists of fields. A fault is shown in words at its field. */
import type { Field, Values } from '../../verifiers/form.ts'
import { type Child, el } from '../../web/ui/dom.ts'

export interface Form {
  readonly element: HTMLFormElement
  readonly values: Values
  /** Marks a field as invalid, and focuses it. */
  blame(name: string): HTMLElement | undefined
}

interface Making {
  readonly fields: readonly Field[]
  readonly submit: string
  /** Inserted between the fields and the button. */
  readonly more?: readonly Child[]
  readonly kept: Readonly<Record<string, string>>
  readonly onChange?: (values: Values) => void
  readonly onSubmit: (form: Form) => void
  /** Reports a missing or invalid value and its field. */
  readonly onFault: (text: string, field: HTMLElement) => void
  readonly onKeep: (values: Record<string, string>) => void
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

export function formOf(making: Making): Form {
  const { fields, submit, more = [], kept, onChange, onSubmit, onFault, onKeep } = making
  const controls = new Map<string, Control>()
  const rows = fields.map((field) => {
    const control = controlOf(field, kept[field.name])
    controls.set(field.name, control)
    return rowOf(field, control)
  })
  const values: Values = {
    text: (name) => controls.get(name)?.value.trim() ?? '',
    given: (name) => controls.get(name)?.value.trim() || undefined,
    ticked: (name) => (controls.get(name) as HTMLInputElement | undefined)?.checked ?? false,
    file: (name) => (controls.get(name) as HTMLInputElement | undefined)?.files?.[0],
  }
  const element = el(
    'form',
    { novalidate: true },
    ...rows,
    ...more,
    el('div', { class: 'actions' }, el('button', { type: 'submit', class: 'button' }, submit)),
  )
  const form: Form = {
    element,
    values,
    blame(name) {
      const control = controls.get(name)
      control?.setAttribute('aria-invalid', 'true')
      return control
    },
  }
  element.addEventListener('input', () => {
    onChange?.(values)
    const keeping = fields.filter(({ isKept, isFixed }) => isKept && !isFixed)
    onKeep(Object.fromEntries(keeping.map(({ name }) => [name, controls.get(name)!.value])))
  })
  element.addEventListener('submit', (event) => {
    event.preventDefault()
    for (const control of controls.values()) control.removeAttribute('aria-invalid')
    for (const field of fields) {
      const fault = faultOf(field, controls.get(field.name)!)
      if (fault !== undefined) return onFault(fault, form.blame(field.name)!)
    }
    onSubmit(form)
  })
  onChange?.(values)
  return form
}

let fieldCount = 0

function controlOf(field: Field, keptValue: string | undefined): Control {
  const { kind = 'text', value, isFixed = false, maxLength, options = [], hint, accept } = field
  const id = `field-${++fieldCount}`
  const now = isFixed ? value : (keptValue ?? value)
  const common = { id, name: field.name, 'aria-describedby': hint !== undefined && `${id}-hint` }
  if (kind === 'choice') {
    const select = el(
      'select',
      { ...common, disabled: isFixed },
      ...options.map(([value, label]) => el('option', { value }, label)),
    )
    if (now !== undefined) select.value = now
    return select
  }
  if (kind === 'tick') return el('input', { ...common, type: 'checkbox', checked: now === 'true', disabled: isFixed })
  if (kind === 'file') return el('input', { ...common, type: 'file', accept })
  const typed = {
    ...common,
    maxlength: maxLength,
    readonly: isFixed,
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
  }
  if (kind === 'area') {
    const area = el('textarea', { ...typed, rows: field.rows ?? 5 })
    area.value = now ?? ''
    return area
  }
  const input = el('input', { ...typed, type: kind === 'moment' ? 'datetime-local' : 'text' })
  input.value = now ?? ''
  return input
}

function rowOf({ kind, label, hint, isRequired = false }: Field, control: Control): HTMLElement {
  const caption = el(
    'label',
    { for: control.id },
    label,
    !isRequired && kind !== 'tick' && el('span', { class: 'optional' }, ' optional'),
  )
  const note = hint !== undefined && el('p', { class: 'hint', id: `${control.id}-hint` }, hint)
  return kind === 'tick'
    ? el('div', { class: 'field tick' }, control, el('div', {}, caption, note))
    : el('div', { class: 'field' }, caption, control, note)
}

function faultOf({ label, kind, isRequired, pattern, mustBe }: Field, control: Control): string | undefined {
  if (kind === 'tick') return undefined
  const value = control.value.trim()
  if (value === '') return isRequired ? `${label} is missing.` : undefined
  return pattern && !pattern.test(value) ? `${label} ${mustBe ?? 'is not of the right form'}.` : undefined
}

/** The choice who may read the proof. `asker` is the requesting site, if any: it may want to read the proof itself. */
export function privacyChoice(
  now: string,
  chosen: (privacy: 'private' | 'public' | 'listed') => void,
  asker?: string,
): HTMLElement {
  const option = (value: 'private' | 'public' | 'listed', label: string, note: string): HTMLElement => {
    const id = `privacy-${value}`
    return el(
      'div',
      { class: 'field tick' },
      el('input', { type: 'radio', name: 'privacy', id, value, checked: now === value, onchange: () => chosen(value) }),
      el('div', {}, el('label', { for: id }, label), el('p', { class: 'hint' }, note)),
    )
  }
  return el(
    'fieldset',
    {},
    el('legend', {}, 'Who sees the proof'),
    option(
      'private',
      'Only you',
      `Others learn that it exists. You can share it with single wallets.${asker === undefined ? '' : ` The site that asks for it, ${asker}, cannot look for itself whether it holds what it should.`}`,
    ),
    option('public', 'Everybody who has its id', 'It is not listed under your wallet.'),
    option('listed', 'Everybody', 'It is listed under your wallet.'),
  )
}
