import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The same components for Node, which writes the public pages with them (write-public-pages.mjs). */
export default defineConfig({
  root: fileURLToPath(new URL('../', import.meta.url)),
  publicDir: false,
  plugins: [react()],
  build: {
    ssr: fileURLToPath(new URL('./write-pages.ts', import.meta.url)),
    outDir: fileURLToPath(new URL('../../../dist/written/', import.meta.url)),
    emptyOutDir: true,
    target: 'node26',
  },
})
