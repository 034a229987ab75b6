/** The form of each verifier. Forms with a visit elsewhere are in interactive.ts. */
import { type Asked, type Field, FormFault, keepPresent, type Values, type VerifierForm } from '../../verifiers/form.ts'
import { forms } from '../../verifiers/forms.ts'
import { claim as words } from '../words/en/verify.ts'
import { loadPart } from './load-part.ts'

/** Other verifiers need the schema of their data. */
export const hasForm = (verifierId: string): boolean => Object.hasOwn(forms, verifierId)

/** Begins to load a form that will be shown. A failure comes up when it is built. */
export function fetchForm(verifierId: string): void {
  if (hasForm(verifierId)) forms[verifierId]!().catch(() => {})
}

/** Errors: NoAnswer, where the form cannot be loaded. */
export async function buildForm(verifierId: string, asked: Asked): Promise<VerifierForm> {
  const form = hasForm(verifierId) ? (await loadPart(forms[verifierId]!)).makeForm(asked) : makeSchemaForm(asked)
  // A value that a gate requires is filled in and read-only.
  return {
    ...form,
    fields: form.fields.map((field) => {
      const value = asked.fixed[field.name]
      return value === undefined ? field : { ...field, value, isFixed: true }
    }),
  }
}

interface JsonSchema {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly description?: string
  readonly maxLength?: number
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
}

/**
 * Builds a form from the catalog's schema, for a verifier without a form of its own. Nested members are given as JSON.
 */
const makeSchemaForm = ({ person, dataSchema }: Asked): VerifierForm => {
  const { properties = {}, required = [] } = (dataSchema ?? {}) as JsonSchema
  const own = ['owner', 'walletAddress', 'ownerAddress'].filter((name) => name in properties)
  const asked = Object.entries(properties).filter(([name]) => !own.includes(name))
  return {
    fields: asked.map(([name, { type, enum: choices, description, maxLength }]): Field => {
      const isNested = type === 'object' || type === 'array'
      return {
        name,
        label: name
          .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
          .toLowerCase()
          .replace(/^./, (letter) => letter.toUpperCase()),
        kind: choices ? 'choice' : type === 'boolean' ? 'tick' : isNested || (maxLength ?? 0) > 500 ? 'area' : 'text',
        isRequired: required.includes(name),
        ...(choices
          ? {
              options: [
                ...(required.includes(name) ? [] : ([['', '']] as const)),
                ...choices.map((choice) => [choice, choice] as const),
              ],
            }
          : {}),
        ...(description === undefined && !isNested
          ? {}
          : { hint: `${description ?? ''}${isNested ? ` ${words.asJson}` : ''}`.trim() }),
      }
    }),
    data: (values) =>
      keepPresent({
        ...Object.fromEntries(own.map((name) => [name, person.address])),
        ...Object.fromEntries(asked.map(([name, { type }]) => [name, parseTyped(values, name, type)])),
      }),
  }
}

function parseTyped(values: Values, name: string, type: string | undefined): unknown {
  const text = values.given(name)
  if (type === 'boolean') return values.ticked(name) || undefined
  if (text === undefined || type === 'string' || type === undefined) return text
  try {
    return type === 'object' || type === 'array' ? JSON.parse(text) : Number(text)
  } catch {
    throw new FormFault(words.notJson, name)
  }
}
