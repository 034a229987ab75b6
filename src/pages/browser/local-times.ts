/** Shows the times of a page in the reader's own zone. The server writes them in UTC, because it does not know the zone. */
import { locale } from './locale.ts'

/** With the zone: a printed receipt may be read elsewhere. */
const format = new Intl.DateTimeFormat(locale, {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
})

export function showLocalTimes(): void {
  for (const time of document.querySelectorAll('time')) {
    time.title = time.dateTime
    time.textContent = format.format(new Date(time.dateTime))
  }
}
