import unittest

from TOOL import answer


class Answer(unittest.TestCase):
    def test_tax_is_added(self):
        self.assertEqual(answer({"amount": 50}), {"label": "Total with tax", "value": 54.05})


if __name__ == "__main__":
    unittest.main()
