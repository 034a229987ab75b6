/**
 * Shows a schema: a line for each member, with nested schemas folded. The content of a fold is rendered when it opens.
 */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { type Description, listChoices, resolve, type Schema } from './description.ts'
import { markProse } from './prose.tsx'
import { describeType, listBounds } from './schema-words.ts'

type Schemas = Description['schemas']

/** The members of an object, or the schema itself for any other type. */
export function SchemaView({ schema, schemas }: { readonly schema: Schema; readonly schemas: Schemas }) {
  const whole = resolve(schema, schemas)
  const isRequired = (name: string): boolean => whole.required?.includes(name) ?? false
  const members = Object.entries(whole.properties ?? {}).sort(
    ([a], [b]) => Number(isRequired(b)) - Number(isRequired(a)),
  )
  return (
    <>
      {members.length > 0 && (
        <ul class="members">
          {members.map(([name, member]) => (
            <Member key={name} name={name} schema={member} schemas={schemas} isRequired={isRequired(name)} />
          ))}
        </ul>
      )}
      {members.length === 0 && <Inside schema={whole} schemas={schemas} isOpen />}
      {members.length > 0 && <Choices schema={whole} schemas={schemas} />}
    </>
  )
}

interface MemberProps {
  readonly name: string
  readonly schema: Schema
  readonly schemas: Schemas
  readonly isRequired: boolean
  readonly place?: string
}

export function Member({ name, schema, schemas, isRequired, place }: MemberProps) {
  const whole = resolve(schema, schemas)
  return (
    <li class="member">
      <Line name={name} schema={whole} isRequired={isRequired} place={place} />
      {whole.description && <p class="member-text">{markProse(whole.description)}</p>}
      <Inside schema={whole} schemas={schemas} />
    </li>
  )
}

function Line({
  name,
  schema,
  isRequired,
  place,
}: Omit<MemberProps, 'schemas' | 'place'> & { place: string | undefined }) {
  return (
    <div class="member-line">
      <code class="member-name">{name}</code>{' '}
      <span class="member-type">
        {[describeType(schema), ...listBounds(schema)].join(', ')}
        {schema.enum && schema.enum.length > 1 && <Words words={schema.enum} />}
      </span>{' '}
      {place && <span class="chip">{place}</span>} {isRequired && <span class="chip required">required</span>}
      {schema.pattern && (
        <div class="member-pattern">
          matches <code>{schema.pattern}</code>
        </div>
      )}
    </div>
  )
}

const Words = ({ words }: { readonly words: readonly unknown[] }) => (
  <>
    {words.map((word) => (
      <>
        {' '}
        <code key={String(word)}>{String(word)}</code>
      </>
    ))}
  </>
)

/** The members of an object, an array or a choice. Renders nothing for other types. */
function Inside({ schema, schemas, isOpen }: { schema: Schema; schemas: Schemas; isOpen?: boolean }) {
  const { items, additionalProperties, properties = {} } = schema
  const count = Object.keys(properties).length
  const each = typeof additionalProperties === 'object' ? additionalProperties : undefined
  return (
    <>
      {count > 0 && (
        <Fold title={`${count} member${count === 1 ? '' : 's'}`} isOpen={isOpen}>
          <SchemaView schema={schema} schemas={schemas} />
        </Fold>
      )}
      {items && hasInside(items, schemas) && (
        <Fold title="Each item" isOpen={isOpen}>
          <SchemaView schema={items} schemas={schemas} />
        </Fold>
      )}
      {each && hasInside(each, schemas) && (
        <Fold title="Each value, by its name" isOpen={isOpen}>
          <SchemaView schema={each} schemas={schemas} />
        </Fold>
      )}
      {count === 0 && <Choices schema={schema} schemas={schemas} />}
    </>
  )
}

function Choices({ schema, schemas }: { readonly schema: Schema; readonly schemas: Schemas }) {
  const choices = listChoices(schema).filter((one) => hasInside(one, schemas))
  if (choices.length === 0) return null
  return (
    <div class="choices-of">
      {choices.map((choice, index) => {
        const { title, description } = resolve(choice, schemas)
        return (
          <Fold key={title ?? index} title={title ?? `Shape ${index + 1}`}>
            {description && <p class="member-text">{markProse(description)}</p>}
            <SchemaView schema={choice} schemas={schemas} />
          </Fold>
        )
      })}
    </div>
  )
}

function hasInside(schema: Schema, schemas: Schemas): boolean {
  const { properties, items, additionalProperties, ...rest } = resolve(schema, schemas)
  return (
    Object.keys(properties ?? {}).length > 0 ||
    (items !== undefined && hasInside(items, schemas)) ||
    typeof additionalProperties === 'object' ||
    listChoices(rest).length > 0
  )
}

interface FoldProps {
  readonly title: ComponentChildren
  readonly isOpen?: boolean | undefined
  readonly class?: string
  readonly children: ComponentChildren
}

export function Fold({ title, isOpen = false, class: name = 'fold', children }: FoldProps) {
  const [open, setOpen] = useState(isOpen)
  return (
    <details class={name} open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {open && <div class="fold-body">{children}</div>}
    </details>
  )
}
