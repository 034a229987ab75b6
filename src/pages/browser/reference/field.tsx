/** One parameter to fill in. */
import type { Parameter } from './description.ts'

interface FieldProps {
  readonly parameter: Parameter
  readonly value: string
  readonly isMissing: boolean
  change(value: string): void
}

export function ParameterField({ parameter, value, isMissing, change }: FieldProps) {
  const { name, in: place, required, schema } = parameter
  const id = `field-${place}-${name}`
  const shared = { id, 'aria-invalid': isMissing || undefined, 'aria-required': required || undefined }
  const words = schema.type === 'boolean' ? ['true', 'false'] : schema.enum
  const isNumber = schema.type === 'integer' || schema.type === 'number'
  return (
    <div class="try-field">
      <label for={id}>
        <code>{name}</code> {required ? <span class="chip required">required</span> : <span class="chip">{place}</span>}
      </label>
      {words ? (
        <select {...shared} value={value} onChange={(event) => change(event.currentTarget.value)}>
          <option value="">{required ? 'choose' : 'not sent'}</option>
          {words.map((word) => (
            <option key={String(word)} value={String(word)}>
              {String(word)}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...shared}
          type="text"
          inputMode={isNumber ? 'numeric' : 'text'}
          autocomplete="off"
          spellcheck={false}
          value={value}
          placeholder={required ? '' : 'not sent'}
          onInput={(event) => change(event.currentTarget.value)}
        />
      )}
    </div>
  )
}
