/** The data that the server put into the page: the signed-in person, and addresses. */
import type { DashboardModel } from '../../dashboard-model.ts'

const place = document.getElementById('dashboard')!
export const model = JSON.parse(place.dataset.model!) as DashboardModel

/** The root of the server as the browser sees it, which may be below a path prefix. Ends in a slash. */
export const root = new URL(place.dataset.root || './', location.href)

export const { session } = model

/**
 * Adds the time since the page opened to the server's clock, so an offset of the browser's clock cancels out. Not
 * performance.now(), which stops while the machine sleeps.
 */
const openedAt = Date.now()
/** Unix milliseconds, by the clock of the server. */
export const readNow = (): number => model.now + Date.now() - openedAt
