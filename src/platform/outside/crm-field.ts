// A field of Salesforce, as its org describes it.

export type CrmField = {
  name: string;
  type: string;
  length: number;
  createable: boolean;
  updateable: boolean;
  nillable: boolean;
  defaultedOnCreate: boolean;
  externalId: boolean;
  restrictedPicklist: boolean;
  picklistValues: { value: string; active: boolean }[];
};
