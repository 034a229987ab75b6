/** A form from the catalog's schema, for a verifier that has none of its own. */
import type { Field, Values } from './form.ts'
import { type Asked, FormFault, present, type VerifierForm } from './verifier-form.ts'

interface JsonSchema {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly description?: string
  readonly maxLength?: number
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
}

/** Nested members are given as JSON. */
export const schemaForm = ({ person, dataSchema }: Asked): VerifierForm => {
  const { properties = {}, required = [] } = (dataSchema ?? {}) as JsonSchema
  const own = ['owner', 'walletAddress', 'ownerAddress'].filter((name) => name in properties)
  const asked = Object.entries(properties).filter(([name]) => !own.includes(name))
  return {
    fields: asked.map(([name, { type, enum: words, description, maxLength }]): Field => {
      const isNested = type === 'object' || type === 'array'
      return {
        name,
        label: name
          .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
          .toLowerCase()
          .replace(/^./, (letter) => letter.toUpperCase()),
        kind: words ? 'choice' : type === 'boolean' ? 'tick' : isNested || (maxLength ?? 0) > 500 ? 'area' : 'text',
        isRequired: required.includes(name),
        ...(words
          ? {
              options: [
                ...(required.includes(name) ? [] : ([['', '']] as const)),
                ...words.map((word) => [word, word] as const),
              ],
            }
          : {}),
        ...(description === undefined && !isNested
          ? {}
          : { hint: `${description ?? ''}${isNested ? ' As JSON.' : ''}`.trim() }),
      }
    }),
    data: (values) =>
      present({
        ...Object.fromEntries(own.map((name) => [name, person.address])),
        ...Object.fromEntries(asked.map(([name, { type }]) => [name, typed(values, name, type)])),
      }),
  }
}

function typed(values: Values, name: string, type: string | undefined): unknown {
  const text = values.given(name)
  if (type === 'boolean') return values.ticked(name) || undefined
  if (text === undefined || type === 'string' || type === undefined) return text
  try {
    return type === 'object' || type === 'array' ? JSON.parse(text) : Number(text)
  } catch {
    throw new FormFault('This is not JSON.', name)
  }
}
