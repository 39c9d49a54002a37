declare module 'zipcodes' {
  type Place = { zip: string; latitude: number; longitude: number; city: string; state: string; country: string };
  const zipcodes: { codes: Record<string, Place> };
  export default zipcodes;
}
