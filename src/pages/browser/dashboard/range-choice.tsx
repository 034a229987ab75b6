/** The choice of a period, as buttons of one group: one of them is chosen. */
import { useId } from 'preact/hooks'

export function RangeChoice<Range extends string>({
  label,
  titles,
  value,
  onChange,
}: {
  readonly label: string
  readonly titles: Readonly<Record<Range, string>>
  readonly value: Range
  onChange(range: Range): void
}) {
  const name = useId()
  return (
    <fieldset class="choice-pair">
      <legend class="visually-hidden">{label}</legend>
      {(Object.keys(titles) as Range[]).map((range) => (
        <label key={range}>
          <input type="radio" name={name} checked={range === value} onChange={() => onChange(range)} /> {titles[range]}
        </label>
      ))}
    </fieldset>
  )
}
