/** Looks of `<proof-badge>`: a small pill, and a target of 44 pixels around it. */
export const badgeStyle = `
:host{display:inline-block;max-width:100%;vertical-align:middle;--g:#0f6b5c;--w:#8a5700;--r:#b3261e;--q:#55625e;--p:#fff}
:host([hidden]){display:none}
@supports(color:light-dark(red,red)){:host{--g:light-dark(#0f6b5c,#6fd6bf);--w:light-dark(#8a5700,#f0bd5c);--r:light-dark(#b3261e,#ff9b92);--q:light-dark(#55625e,#a5b1ad);--p:light-dark(#fff,#1c2022)}}
a{--c:var(--q);position:relative;display:inline-flex;gap:.4em;align-items:center;box-sizing:border-box;max-width:100%;min-block-size:28px;padding:.125em .75em .125em .5em;padding-inline:.5em .75em;border:1px solid var(--c);border-radius:var(--proofgate-radius,999px);background:var(--proofgate-paper,var(--p));color:var(--c);font:inherit;font-size:.875em;font-weight:600;line-height:1.35;text-decoration:none}
a::after{position:absolute;inset:-9px 0;content:""}
a[href]:hover{text-decoration:underline;text-underline-offset:.15em}
[data-state=holds],[data-state=private]{--c:var(--proofgate-accent,var(--g))}
[data-state=partial],[data-state=expired]{--c:var(--w)}
[data-state=revoked]{--c:var(--r)}
[data-state=unknown],[data-state=unreachable],[data-state=looking]{border-style:dashed}
:focus-visible{outline:3px solid var(--proofgate-accent,var(--g));outline-offset:2px}
.icon,.words{display:grid}
.words>span{grid-area:1/1;visibility:hidden;justify-self:start;white-space:nowrap}
.words>[data-on]{visibility:visible}
svg{width:1.15em;height:1.15em;fill:none;stroke:currentColor;stroke-width:2.6;stroke-linecap:round;stroke-linejoin:round}
`
