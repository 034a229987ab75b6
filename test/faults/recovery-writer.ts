/** A process that stores numbered rows at a rate, and tells each that is stored, until it is killed. */
import { makeShippingPlace } from '../backup/continuous-stage.ts'

const [home = '', rate = '500'] = process.argv.slice(2)
const place = makeShippingPlace(home, { walLimitBytes: 16 << 20, fillingBytes: 50 })
const { db } = await place.open()
const { last } = (await db
  .read<{ last: number }, []>('SELECT coalesce(max(id), 0) AS last FROM numbers' as never)
  .get())!
console.log(`ready ${last}`)
const startedAt = performance.now()
for (let written = 0; ; ) {
  const due = Math.floor(((performance.now() - startedAt) * Number(rate)) / 1000)
  for (; written < due; written++) {
    const id = last + written + 1
    const askedAt = Date.now()
    void place.insert(db, id).then(() => console.log(`${id} ${askedAt} ${Date.now()}`))
  }
  await Bun.sleep(2)
}
