/** Builds forms from lists of fields. A fault is shown in words at its field. */
import type { Field, Values } from '../../verifiers/form.ts'
import { type Child, makeElement } from '../../web/ui/dom.ts'
import { claim as words } from '../words/en/verify.ts'
import { visibility } from '../words/en/visibility.ts'

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
  /** Fields below the rest. */
  readonly choices?: readonly Field[]
  readonly kept: Readonly<Record<string, string>>
  readonly onChange?: (values: Values) => void
  readonly onSubmit: (form: Form) => void
  /** Reports a missing or invalid value and its field. */
  readonly onFault: (text: string, field: HTMLElement) => void
  readonly onKeep: (values: Record<string, string>) => void
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

export function renderForm(making: Making): Form {
  const { fields: first, choices = [], submit, more = [], kept, onChange, onSubmit, onFault, onKeep } = making
  const controls = new Map<string, Control>()
  const fields = [...first, ...choices]
  const rows = fields.map((field) => {
    const control = renderControl(field, kept[field.name])
    controls.set(field.name, control)
    const isFileLost = field.kind === 'file' && kept[field.name] !== undefined
    return renderRow(isFileLost ? { ...field, hint: `${words.chooseAgain} ${field.hint}` } : field, control)
  })
  const values: Values = {
    text: (name) => controls.get(name)?.value.trim() ?? '',
    given: (name) => controls.get(name)?.value.trim() || undefined,
    ticked: (name) => (controls.get(name) as HTMLInputElement | undefined)?.checked ?? false,
    file: (name) => (controls.get(name) as HTMLInputElement | undefined)?.files?.[0],
  }
  const element = makeElement(
    'form',
    { novalidate: true },
    ...rows.slice(0, first.length),
    ...more,
    ...rows.slice(first.length),
    makeElement('div', { class: 'actions' }, makeElement('button', { type: 'submit', class: 'button' }, submit)),
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
      const fault = findFault(field, controls.get(field.name)!)
      if (fault !== undefined) return onFault(fault, form.blame(field.name)!)
    }
    onSubmit(form)
  })
  onChange?.(values)
  return form
}

let fieldCount = 0

function renderControl(field: Field, keptValue: string | undefined): Control {
  const { kind = 'text', value, isFixed = false, maxLength, options = [], hint, accept } = field
  const id = `field-${++fieldCount}`
  const now = isFixed ? value : (keptValue ?? value)
  const common = { id, name: field.name, 'aria-describedby': hint !== undefined && `${id}-hint` }
  if (kind === 'choice') {
    const select = makeElement(
      'select',
      { ...common, disabled: isFixed },
      ...options.map(([value, label]) => makeElement('option', { value }, label)),
    )
    if (now !== undefined) select.value = now
    return select
  }
  if (kind === 'tick')
    return makeElement('input', { ...common, type: 'checkbox', checked: now === 'true', disabled: isFixed })
  if (kind === 'file') return makeElement('input', { ...common, type: 'file', accept })
  const typed = {
    ...common,
    maxlength: maxLength,
    readonly: isFixed,
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
  }
  if (kind === 'area') {
    const area = makeElement('textarea', { ...typed, rows: field.rows ?? 5 })
    area.value = now ?? ''
    return area
  }
  const input = makeElement('input', { ...typed, type: kind === 'moment' ? 'datetime-local' : 'text' })
  input.value = now ?? ''
  return input
}

function renderRow({ kind, label, hint, isRequired = false, isOneOf = false }: Field, control: Control): HTMLElement {
  const caption = makeElement(
    'label',
    { for: control.id },
    label,
    !isRequired &&
      kind !== 'tick' &&
      makeElement('span', { class: 'optional' }, isOneOf ? words.oneOf : words.optional),
  )
  const note = hint !== undefined && makeElement('p', { class: 'hint', id: `${control.id}-hint` }, hint)
  return kind === 'tick'
    ? makeElement('div', { class: 'field tick' }, control, makeElement('div', {}, caption, note))
    : makeElement('div', { class: 'field' }, caption, control, note)
}

function findFault({ label, kind, isRequired, pattern, mustBe }: Field, control: Control): string | undefined {
  if (kind === 'tick') return undefined
  const value = control.value.trim()
  if (value === '') return isRequired ? words.missing(label) : undefined
  return pattern && !pattern.test(value) ? words.invalid(label, mustBe ?? words.wrongForm) : undefined
}

export type Privacy = 'private' | 'public' | 'listed'

type Visibility = typeof visibility.private

/** The choice who may read the proof. `asker` is the requesting site, if any: it may want to read the proof itself. */
export function renderPrivacyChoice(now: string, chosen: (privacy: Privacy) => void, asker?: string): HTMLElement {
  const renderOption = (value: Privacy, { word, meaning }: Visibility, more = ''): HTMLElement => {
    const id = `privacy-${value}`
    return makeElement(
      'div',
      { class: 'field tick' },
      makeElement('input', {
        type: 'radio',
        name: 'privacy',
        id,
        value,
        checked: now === value,
        onchange: () => chosen(value),
      }),
      makeElement(
        'div',
        {},
        makeElement('label', { for: id }, word),
        makeElement('p', { class: 'hint' }, meaning + more),
      ),
    )
  }
  return makeElement(
    'fieldset',
    {},
    makeElement('legend', {}, visibility.who),
    renderOption('private', visibility.private, asker === undefined ? '' : words.siteCannotSee(asker)),
    renderOption('public', visibility.unlisted),
    renderOption('listed', visibility.listed),
  )
}
