/** Runs on the pages of the dashboard: one application for all of them. */
import { mount } from './dashboard/application.tsx'
import { reloadWhenSignedOut } from './sign-outs.ts'

reloadWhenSignedOut()
mount(document.getElementById('dashboard')!)
