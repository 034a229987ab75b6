/** A stacked bar chart of hours or days. Series differ by pattern as well as by color. A table holds the same numbers. */
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { chart as words } from '../../words/en/chart.ts'
import { formatCount as count, locale } from '../locale.ts'
import { TableFrame } from './table-frame.tsx'

export interface Series {
  readonly label: string
  /** A value for each hour or day. */
  readonly counts: readonly number[]
}

/** More series could not be told apart. */
export const mostSeries = 5

const height = 180
const hourMs = 3_600_000

/** Days are those of UTC, because the server counts by them. Hours are shown in the time zone of the reader. */
const formats = {
  day: {
    axis: new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }),
    table: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }),
  },
  hour: {
    axis: new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' }),
    table: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }),
  },
}

export function Chart({
  title,
  firstAt,
  stepMs,
  series,
}: {
  readonly title: string
  /** Unix milliseconds: when the first hour or day begins. */
  readonly firstAt: number
  /** The length of an hour or a day. */
  readonly stepMs: number
  readonly series: readonly Series[]
}) {
  const [frame, width] = useWidth()
  const id = useId()
  const unit = stepMs === hourMs ? 'hour' : 'day'
  const all = series[0]?.counts.length ?? 0
  const totals = Array.from({ length: all }, (_, day) =>
    series.reduce((sum, { counts }) => sum + (counts[day] ?? 0), 0),
  )
  const most = chooseTop(Math.max(1, ...totals))
  const writeStep = (index: number, place: 'axis' | 'table'): string =>
    formats[unit][place].format(firstAt + index * stepMs)
  const sum = (counts: readonly number[]): number => counts.reduce((total, value) => total + value, 0)

  return (
    <figure class="chart" aria-labelledby={`${id}-title`}>
      <figcaption>
        <strong id={`${id}-title`}>{title}</strong>
        <span class="quiet">
          {unit === 'hour' ? words.hours(all, count(sum(totals))) : words.days(all, count(sum(totals)))}
        </span>
      </figcaption>
      <div class="chart-frame" ref={frame}>
        <span class="chart-most quiet">{count(most)}</span>
        <svg
          role="img"
          aria-label={words.label(
            title,
            series.map(({ label, counts }) => `${label} ${count(sum(counts))}`).join(', '),
          )}
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
        >
          <Patterns id={id} />
          <line class="chart-line" x1="0" x2={width} y1="0.5" y2="0.5" />
          <line class="chart-line" x1="0" x2={width} y1={height / 2} y2={height / 2} />
          {Array.from({ length: all }, (_, at) => (
            <Bar
              key={at}
              id={id}
              x={(at * width) / all}
              width={width / all}
              values={series.map(({ counts }) => counts[at] ?? 0)}
              most={most}
              title={`${writeStep(at, 'axis')}: ${series.map(({ label, counts }) => `${label} ${count(counts[at] ?? 0)}`).join(', ')}`}
            />
          ))}
          <line class="chart-axis" x1="0" x2={width} y1={height - 0.5} y2={height - 0.5} />
        </svg>
        <div class="chart-days quiet">
          <span>{writeStep(0, 'axis')}</span>
          <span>{writeStep(Math.floor(all / 2), 'axis')}</span>
          <span>{writeStep(all - 1, 'axis')}</span>
        </div>
      </div>
      <ul class="chart-legend">
        {series.map(({ label, counts }, index) => (
          <li key={label}>
            <svg width="18" height="18" aria-hidden="true">
              <rect class={`series-${index}`} x="1" y="1" width="16" height="16" fill={chooseFill(id, index)} />
            </svg>
            {label} <span class="quiet">{count(sum(counts))}</span>
          </li>
        ))}
      </ul>
      <details>
        <summary>{words.asTable}</summary>
        <Table
          title={title}
          heading={words[unit]}
          series={series}
          totals={totals}
          writeStep={(index) => writeStep(index, 'table')}
        />
      </details>
    </figure>
  )
}

function Bar({
  id,
  x,
  width,
  values,
  most,
  title,
}: {
  readonly id: string
  readonly x: number
  readonly width: number
  readonly values: readonly number[]
  readonly most: number
  readonly title: string
}) {
  const gap = width > 4 ? 1 : 0.25
  let top = height
  return (
    <g class="chart-day">
      <title>{title}</title>
      <rect class="chart-hit" x={x} y="0" width={width} height={height} />
      {values.map((value, index) => {
        if (value === 0) return null
        // A minimum height keeps one event visible beside a thousand.
        const size = Math.max(2, (value / most) * (height - 2))
        top -= size
        return (
          <rect
            key={index}
            class={`series-${index}`}
            x={x + gap}
            y={top}
            width={Math.max(1, width - 2 * gap)}
            height={size}
            fill={chooseFill(id, index)}
          />
        )
      })}
    </g>
  )
}

const chooseFill = (id: string, index: number): string => (index === 0 ? 'currentColor' : `url(#${id}-${index})`)

/** Stripes, dots, lines and a grid, in the color of their series. The first one is solid. */
function Patterns({ id }: { readonly id: string }) {
  const shapes = ['M-1 7 7 -1M-1 13 13 -1', 'M0 3h6', 'M3 0v6', 'M0 0h6v6']
  return (
    <defs>
      {shapes.map((shape, index) => (
        <pattern key={shape} id={`${id}-${index + 1}`} width="6" height="6" patternUnits="userSpaceOnUse">
          <path class={`series-${index + 1}`} d={shape} fill="none" stroke="currentColor" stroke-width="2.5" />
        </pattern>
      ))}
    </defs>
  )
}

function Table({
  title,
  heading,
  series,
  totals,
  writeStep,
}: {
  readonly title: string
  readonly heading: string
  readonly series: readonly Series[]
  readonly totals: readonly number[]
  readonly writeStep: (index: number) => string
}) {
  const rows = totals.map((total, index) => ({ total, index })).filter(({ total }) => total > 0)
  if (rows.length === 0) return <p class="quiet">{words.none}</p>
  return (
    <TableFrame label={words.table(title)}>
      <table>
        <thead>
          <tr>
            <th scope="col">{heading}</th>
            {series.map(({ label }) => (
              <th key={label} scope="col" class="number">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.reverse().map(({ index }) => (
            <tr key={index}>
              <th scope="row">{writeStep(index)}</th>
              {series.map(({ label, counts }) => (
                <td key={label} class="number">
                  {count(counts[index] ?? 0)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  )
}

/** 1, 2, 5, 10, 20, … */
function chooseTop(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= value)!
}

/** Returns the width of the frame, so that text and patterns keep their size on every screen. */
function useWidth() {
  const frame = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(640)
  useEffect(() => {
    const element = frame.current!
    const look = () => setWidth(Math.max(200, Math.floor(element.clientWidth)))
    look()
    const watching = new ResizeObserver(look)
    watching.observe(element)
    return () => watching.disconnect()
  }, [])
  return [frame, width] as const
}
