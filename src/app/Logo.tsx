// The product's mark: a quote sheet with a checked price line.
export function Logo() {
  return (
    <svg width="24" height="24" viewBox="0 0 24 24" aria-hidden="true">
      <rect x="3" y="2" width="18" height="20" rx="3" fill="var(--mantine-primary-color-filled)" />
      <path d="M7 7h10M7 11h6" stroke="#fff" strokeWidth="1.8" strokeLinecap="round" />
      <path
        d="m8 16.2 2.2 2.1 5.6-5.4"
        stroke="#fff"
        strokeWidth="1.8"
        fill="none"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
