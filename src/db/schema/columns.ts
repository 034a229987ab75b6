/** Types of columns that SQLite does not have. */
import { customType } from 'drizzle-orm/sqlite-core'

/** A BLOB that statements write with unhex(?) and read with hex(). */
export const hash32 = customType<{ data: Uint8Array }>({ dataType: () => 'blob' })
