/** Runs on the page of a receipt: its times are local, and its button prints it. Without scripts the browser's menu does the same. */
import { requireElement } from '../../web/ui/dom.ts'
import { showLocalTimes } from './local-times.ts'

const print = requireElement('print')
print.hidden = false
print.addEventListener('click', () => globalThis.print())

showLocalTimes()
