/** Looks of `<proof-gate>`: light or dark as the page says (color-scheme), in the font of the page. */
export const gateStyle = `
:host{display:inline-block;max-width:100%;vertical-align:middle;--a:#0f6b5c;--o:#fff}
:host([hidden]){display:none}
@supports(color:light-dark(red,red)){:host{--a:light-dark(#0f6b5c,#6fd6bf);--o:light-dark(#fff,#06281f)}}
button,a{font:inherit;cursor:pointer}
[part=button]{display:inline-flex;gap:.625em;align-items:center;justify-content:center;box-sizing:border-box;max-width:100%;min-inline-size:44px;min-block-size:48px;margin:0;padding:.5em 1.25em;border:1px solid var(--proofgate-accent,var(--a));border-radius:var(--proofgate-radius,10px);background:var(--proofgate-accent,var(--a));color:var(--proofgate-on-accent,var(--o));font-weight:600;line-height:1.25;text-align:center;overflow-wrap:anywhere}
[part=button]:hover{filter:brightness(.92)}
[part=button]:disabled{cursor:default;opacity:.55;filter:none}
:focus-visible{outline:3px solid var(--proofgate-accent,var(--a));outline-offset:2px}
svg{flex:none;width:1.4em;height:1.4em;fill:none;stroke:currentColor;stroke-width:2.2;stroke-linecap:round;stroke-linejoin:round}
[part=status]{font-size:.875em;line-height:1.5;overflow-wrap:anywhere}
[part=status]:not(:empty){padding-block-start:.375em}
[part=link]{display:inline-flex;align-items:center;min-block-size:44px;margin:0;padding:0;border:0;background:none;color:inherit;text-decoration:underline;text-underline-offset:.15em}
@media(prefers-reduced-motion:no-preference){[part=button]{transition:filter .12s}}
`
