/** Imported with `{ type: 'file' }`, never run here. */
declare const path: string
export default path
