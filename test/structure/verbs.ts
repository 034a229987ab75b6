/** The verbs that names of functions begin with (names.test.ts). A new verb is added here; a noun is not. */

const imperatives = `
  abandon absorb accept act adapt add adjust admit adopt advance announce anonymize answer append apply ask
  assert assess attach attempt audit authorize await backfill beat begin bind bootstrap break build bundle burn
  call canonicalize capture carry catch change check choose claim clamp clean clear close collapse collect
  combine commit compact compare compile complete compose compress compute conclude confirm connect consume
  convert copy count create cut defer debounce decide decode decrypt define delegate delete deliver deny derive
  describe deserialize diagnose disable discard disconnect discover download drain draw drop edit empty enable
  encode end ensure erase escape estimate evaluate examine exchange expand expect explain export extend fail
  fetch file fill filter finalize find finish fire fit fix flush focus fold follow forget forgive format free
  fulfill gate gather generate get give go grant group guess halt hand handle hash hear hide identify ignore
  import init inject insert isolate issue iterate join judge keep label lead leave limit link list listen load
  locate lock log look lower make map mark match measure meet mend merge migrate mint mount move name narrow
  negate negotiate normalize note notice notify number observe obtain offer omit open order pack pad park parse
  pass patch pause pay perform permute persist pick pin place plan point poll post postpone prepare press
  preview price print probe process produce project promise prompt protect prove provide prune publish pull
  purge push put query queue quote raise rank rate reach react read reason rebuild record recount recover redeem
  redirect redraw reduce reflect refresh refuse register reject rejoin release reload remember remove rename
  render renew reorder repeat replace replay report request require reserve reset resize resolve respect respell
  respond restore resubmit resume retire retry return reuse revalidate reveal review revoke reward rewrite roll
  rollback rotate route run sample sanitize save say scan schedule scroll seal search see seed seek select send
  serialize serve set settle share shorten show shrink sign simulate skip sleep sort spawn spell spend split
  sponsor stamp standardize start step stop store stream stringify strip submit subscribe suggest sum summarize
  suspend swap sweep sync tag take tell throttle throw tighten toast toggle tokenize touch track transfer
  translate traverse trigger trim truncate trust try turn uncover undo unescape unfold unhash unlink unmount
  unquote untrack unwrap update upload use validate verify view visit wait walk warm warn watch widen wipe
  withdraw withhold work wrap write yield zero zip
`

/** For predicates, and for what something does: `needsPage`, `mayRead`. `to` converts: `toWire`. */
const predicates = `
  accepts are asks brings calls can contains controls counts decides did differs does ends fails fits goes has
  holds is judges keeps knows lacks leads learns leaves looks matches may meets must names needs offers passes
  reads refuses runs sees serves shows signs speaks stands takes tells uses waits wants was
  to
`

export const verbs: ReadonlySet<string> = new Set(`${imperatives} ${predicates}`.trim().split(/\s+/))
