export function serverProgram(name: 'nginx' | 'caddy' | 'pebble'): string
