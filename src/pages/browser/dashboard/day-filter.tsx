/** Narrows a list to some days: a preset, or a first and a last day. Both stand in the address. */
import { type Days, dayPresets, isBackwards } from '../../day-range.ts'
import { dayFilter as words } from '../../words/en/days.ts'
import { adjust } from './route.ts'

export const noDays = { when: undefined, from: undefined, to: undefined }

export function DayFilter({ days }: { readonly days: Days }) {
  const { when, first, last } = days
  const options = [...dayPresets, 'days'] as const
  const isWrong = isBackwards(days)
  return (
    <>
      <select
        aria-label={words.label}
        name="when"
        value={when}
        class={when ? 'chosen' : undefined}
        onChange={({ currentTarget: { value } }) => adjust({ ...noDays, when: value || undefined })}
      >
        <option value="">{words.any}</option>
        {options.map((one) => (
          <option key={one} value={one}>
            {words.presets[one]}
          </option>
        ))}
      </select>
      {when === 'days' && (
        <span class="day-filter">
          <label>
            <span>{words.first}</span>
            <input
              type="date"
              name="from"
              value={first}
              onChange={({ currentTarget: { value } }) => adjust({ from: value || undefined })}
            />
          </label>
          <label>
            <span>{words.last}</span>
            <input
              type="date"
              name="to"
              value={last}
              min={first || undefined}
              aria-invalid={isWrong || undefined}
              aria-describedby={isWrong ? 'day-filter-fault' : undefined}
              onChange={({ currentTarget: { value } }) => adjust({ to: value || undefined })}
            />
          </label>
          {isWrong && (
            <span class="hint wrong" id="day-filter-fault" role="alert">
              {words.backwards}
            </span>
          )}
        </span>
      )}
    </>
  )
}
